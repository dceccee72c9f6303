/** The vocabulary of faults: what is broken, and which requirements that condemns. */
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { Refusal } from '../../sandbox/exchange.ts';
import type { AnswerContext, AnswerFilter, SandboxOptions, SandboxRequest } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { Fault } from './fault.ts';

/** A fault of some rules of the sandbox. */
export const broken = (name: string, condemns: string | readonly string[], rules: Partial<Rules>): Fault => ({
  name,
  condemns: [condemns].flat(),
  sandbox: { rules },
});

/** A fault in the success body of one operation. */
export const misanswered = (
  name: string,
  condemns: string | readonly string[],
  operation: string,
  change: (body: Record<string, unknown>, context: AnswerContext) => void,
): Fault => ({ name, condemns: [condemns].flat(), sandbox: answering(operation, change) });

/** Success bodies of one operation, changed. */
export function answering(
  operation: string,
  change: (body: Record<string, unknown>, context: AnswerContext) => void,
): SandboxOptions {
  const filter: AnswerFilter = (answer, context) => {
    if (context.operation === operation && answer.status < 300) change(answer.body as Record<string, unknown>, context);
    return undefined;
  };
  return { middleware: [filter] };
}

/** Cards are listed with a member of the card before them. */
export const listedWithThatBefore = (name: string, member: string): Fault =>
  misanswered(name, 'cards.get.same-card', 'cards.list', ({ results }) => {
    const cards = results as Record<string, unknown>[];
    const values = cards.map((card) => card[member]);
    for (const [index, card] of cards.entries()) card[member] = values.at(index - 1);
  });

/** Refusals that are not made. */
export const letThrough = (isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  enforces: (refusal) => !isMeant(refusal),
});

/** Refusals that are answered with another status. */
export const refusedWith = (status: number, isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  refusalStatus: (refusal, byDefault) => (isMeant(refusal) ? status : byDefault),
});

/** Refusals that are answered, though the effect takes place. */
export const refusedYetDone = (isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  refusedStillTakesEffect: isMeant,
});

/** The fault, by a run with this seed: what shows it rotates. */
export const seeded = (fault: Fault, seed: number): Fault => ({
  ...fault,
  configure: ({ run }) => {
    run.seed = seed;
  },
});

/** The fault, by a run that tries all forms at once: which of them another run tries depends on its seed. */
export const thoroughly = (fault: Fault): Fault => ({
  ...fault,
  configure: (configuration) => {
    fault.configure?.(configuration);
    tryAllForms(configuration);
  },
});

/** What makes a run try all forms at once, those that cost among them. */
export const thorough: Pick<Fault, 'configure'> = { configure: (configuration) => tryAllForms(configuration) };

function tryAllForms({ run }: Configuration): void {
  run.thorough = true;
  run.maxCipChecks = 200;
  run.maxOrders = 200;
}

type Body = Record<string, unknown>;

/** The JSON object that was sent; an empty one where none was. */
export const bodyIn = ({ body }: SandboxRequest): Body =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Body) : {};

/** The token that was sent, whatever the scheme before it; an empty text where none was. */
export const bearerOf = ({ headers }: SandboxRequest): string =>
  String(headers.authorization ?? '').replace(/^\S+\s*/, '');

/** The cards of an order. */
export const cardsIn = (order: Body): Body[] =>
  Array.isArray(order.orderDetails) ? (order.orderDetails as Body[]) : [];
