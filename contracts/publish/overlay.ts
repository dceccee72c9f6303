/**
 * Publishes the examples that depend on a target as an OpenAPI Overlay (1.0.0), which tools apply to the published
 * document.
 */
import type { Operation } from '../operation.ts';
import type { RequestExamples } from './examples.ts';
import { operationsAt, pathOf, TITLES } from './openapi.ts';
import { CONTRACTS_VERSION } from './version.ts';

interface Action {
  readonly target: string;
  readonly remove?: true;
  readonly update?: unknown;
}

/** @param examples by operation id; those of other interfaces are ignored */
export function overlay(at: Operation['interface'], examples: RequestExamples) {
  return {
    overlay: '1.0.0',
    info: { title: `Examples of a target: ${TITLES[at]}`, version: CONTRACTS_VERSION },
    extends: `openapi-${at}.json`,
    actions: operationsAt(at).flatMap((operation) => actionsOf(operation, examples[operation.id] ?? {})),
  };
}

function actionsOf(operation: Operation, { parameters = {}, body }: RequestExamples[string]): Action[] {
  const place = `$.paths['${pathOf(operation)}'].${operation.method.toLowerCase()}`;
  const values = Object.entries(parameters).map(([name, value]) => ({
    target: `${place}.parameters[?(@.name=='${name}')].examples.example`,
    update: { value },
  }));
  if (body === undefined) return values;
  const value = `${place}.requestBody.content['${operation.body!.mediaType}'].examples.example.value`;
  // An update merges objects, as intended, but appends arrays, which is not.
  const lists = Object.keys(body).filter((member) => Array.isArray(body[member]));
  return [
    ...values,
    ...lists.map((member) => ({ target: `${value}.${member}[*]`, remove: true as const })),
    { target: value, update: body },
  ];
}
