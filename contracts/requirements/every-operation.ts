/** Generates the requirements that apply to all operations alike, from the operation contracts. */
import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { operations } from '../operations.ts';
import { LEAVING_ALONE, STATE_CHANGING } from '../v3/cards.ts';
import type { Requirement, Statement } from './requirement.ts';

/** Requirements by id below an operation, with their texts; undefined if they do not apply. */
type Generator = (operation: Operation) => Record<string, Statement | undefined>;

const isV3 = (o: Operation) => o.interface === 'v3';
const isPortal = (o: Operation) => o.interface === 'v1';
const takesCard = (o: Operation) => isV3(o) && o.pathParameters.length > 0 && o.id.startsWith('cards.');

/** JSON Schema of a success body; undefined if none is shown. */
function jsonSchema(o: Operation): string | undefined {
  const body = o.success?.body;
  return body === undefined || typeof body === 'string'
    ? undefined
    : JSON.stringify(z.toJSONSchema(body, { io: 'input' }));
}
/** The member that holds the entries of a listing. */
export function entriesMember(o: Operation): 'results' | 'items' | undefined {
  const body = o.success?.body;
  if (!(body instanceof z.ZodObject)) return undefined;
  return (['results', 'items'] as const).find((name) => name in body.shape);
}
/** Whether some object of a JSON Schema has a member that is not required. */
function hasOptionalMember(schema: string): boolean {
  let found = false;
  JSON.parse(schema, (_, value: { properties?: object; required?: string[] } | null) => {
    if (value?.properties) found ||= Object.keys(value.properties).length > (value.required?.length ?? 0);
    return value;
  });
  return found;
}
const lists400 = (o: Operation) => o.errors.includes(400);
/** The names of things in a text. */
const named = (names: readonly string[]) => names.join(', ');

/** Requirements judged on every exchange of the run. */
const answers: Generator = (o) => {
  if (!o.success) return {};
  const { status, body } = o.success;
  const schema = jsonSchema(o);
  const hasBody = body !== 'none';
  return {
    status: {
      text: `${o.id} answers success with status ${status}, and nothing well-formed with status 500`,
      readings: [1, 2, 9],
      group: 'shape',
    },
    shape: {
      text: hasBody
        ? `The success body of ${o.id} is JSON in UTF-8${schema ? ' with the documented members and types' : ''}`
        : `A success of ${o.id} has no body`,
      readings: [3, 4, 5, ...(schema ? [] : [45])],
      group: 'shape',
    },
    'media-type': hasBody
      ? { text: `The success body of ${o.id} is declared as JSON`, readings: [3], group: 'shape', level: 'should' }
      : undefined,
    'byte-order-mark': hasBody
      ? {
          text: `The success body of ${o.id} begins without a byte order mark`,
          readings: [3],
          group: 'shape',
          level: 'should',
        }
      : undefined,
    'null-members':
      schema && hasOptionalMember(schema)
        ? {
            text: `Optional members of ${o.id} are absent rather than null`,
            readings: [4],
            group: 'shape',
            level: 'should',
          }
        : undefined,
    'member-names': schema
      ? {
          text: `No member of ${o.id} differs from a documented one by case or separator alone`,
          readings: [4],
          group: 'shape',
          level: 'should',
        }
      : undefined,
    'time-offsets': schema?.includes('"date-time"')
      ? { text: `Date-times of ${o.id} carry an offset`, readings: [4], group: 'shape', level: 'should' }
      : undefined,
    'entries-present': entriesMember(o)
      ? {
          text: `The listing of ${o.id} carries its member ${entriesMember(o)}, also when it is empty`,
          readings: [5],
          group: 'shape',
          level: 'should',
        }
      : undefined,
  };
};

/** Requirements judged on every refusal of the run. */
const errorBodies: Generator = (o) => {
  if (o.listedOnly) return {};
  if (isV3(o))
    return {
      'error-shape': {
        text: `A 400 of ${o.id} is an array of errors whose members are strings`,
        readings: [12],
        group: 'errors',
        section: 'Errors',
      },
      'error-shape-other': {
        text: `A refusal of ${o.id} with another status than 400 and a JSON body is an array of errors, too`,
        readings: [12],
        group: 'errors',
        section: 'Errors',
        level: 'should',
      },
      'error-not-empty': {
        text: `The array of errors of ${o.id} holds at least one error`,
        readings: [12],
        group: 'errors',
        section: 'Errors',
        level: 'should',
      },
    };
  if (isPortal(o))
    return {
      'error-shape': {
        text: `A body that ${o.id} gives with a 400${o.errors.includes(401) ? ' or 401' : ''} is a JSON object`,
        readings: [12],
        group: 'errors',
        section: o.errors.includes(401) ? 'Errors' : 'Endpoints',
      },
      'error-json': {
        text: `A refusal of ${o.id} has a JSON body`,
        readings: [12],
        group: 'errors',
        section: 'Errors',
        level: 'should',
      },
      'error-object': {
        text: `The JSON body of a refusal of ${o.id} is an object`,
        readings: [12],
        group: 'errors',
        section: 'Errors',
        level: 'should',
      },
      'server-error': {
        text: `${o.id} refuses what it does not take with a status below 500`,
        readings: [9],
        group: 'errors',
        section: 'Errors',
        level: 'should',
      },
    };
  return {};
};

const authorisation: Generator = (o) => {
  if (isV3(o))
    return {
      'requires-token': {
        text: `${o.id} is refused without effect when the request has no token, another scheme, an invented or an altered token`,
        readings: [17, 6, ...(o.listedOnly ? [31] : [])],
        group: 'authorisation',
        risk: 'safe',
        section: 'Authentication',
      },
      'requires-live-token': {
        text: `${o.id} is refused without effect when the token has expired`,
        readings: [17, 15],
        group: 'authorisation',
        risk: 'safe',
        section: 'Authentication',
      },
      challenge: {
        text: `${o.id} answers a request without a good token with 401 and a WWW-Authenticate header`,
        readings: [17],
        group: 'authorisation',
        risk: 'safe',
        section: 'Authentication',
        level: 'should',
      },
      ...(takesCard(o) && !o.listedOnly
        ? {
            foreign: {
              text: `${o.id} is refused for a card outside the reach of the credentials`,
              readings: [13],
              group: 'authorisation' as const,
              section: 'Authentication',
              needs: ['cards.foreign'],
              // Its answers list cards.
              everyExchange: o.id === 'cards.listRelated',
            },
          }
        : {}),
    };
  if (o.authorisation === 'session') {
    const status400 = ['portal.getCustomerProgramList', 'portal.logout'].includes(o.id);
    return {
      'requires-session': {
        text: `${o.id} is refused${status400 ? ' with 400' : ''} when the session identifier is missing, invented or of an ended session`,
        readings: o.id === 'portal.logout' ? [33, 34] : status400 ? [34, 6] : [34],
        group: 'authorisation',
        risk: 'safe',
        section: 'Authentication',
      },
      'session-status': status400
        ? undefined
        : {
            text: `${o.id} answers a bad session with 400 or 401`,
            readings: [34],
            group: 'authorisation',
            risk: 'safe',
            section: 'Errors',
            level: 'should',
          },
    };
  }
  return {};
};

/** How a bad request is refused. */
const howRefused = (o: Operation): string => (lists400(o) ? 'with 400' : 'without effect');

const parameters: Generator = (o) => {
  if (o.listedOnly) return {};
  const required = o.query.filter((p) => p.required).map((p) => p.name);
  const integers = o.query.filter((p) => p.type === 'integer').map((p) => p.name);
  const booleans = o.query.filter((p) => p.type === 'boolean').map((p) => p.name);
  const badRequest = howRefused(o);
  const outsideReading7 = ['token.issue', 'cards.reissue', 'cards.setPin'].includes(o.id);
  return {
    'required-only': outsideReading7
      ? undefined
      : {
          text: `${o.id} accepts a request that holds only what is required`,
          readings: [7, ...(o.id === 'cards.transfer' ? [27] : [])],
          group: 'parameters',
          // The required flags of its body are not shown.
          ...(o.id === 'cards.transfer' && { level: 'should' }),
        },
    'required-parameters':
      required.length > 0
        ? {
            text: `${o.id} is refused ${badRequest} when a required parameter is absent: ${named(required)}`,
            readings: [
              6,
              ...(o.id === 'portal.getCustomerProgramList' ? [40] : []),
              ...(o.id === 'portal.getATMLocation' ? [41] : []),
              ...(o.id === 'portal.login' ? [32] : []),
            ],
            group: 'parameters',
          }
        : undefined,
    'integer-parameters':
      integers.length > 0
        ? {
            text: `${o.id} is refused ${badRequest} when an integer parameter is not an integer: ${named(integers)}`,
            readings: [8, ...(o.id === 'users.list' ? [18] : []), ...(o.id === 'cards.list' ? [22] : [])],
            group: 'parameters',
          }
        : undefined,
    'boolean-parameters':
      booleans.length > 0
        ? {
            text: `${o.id} is refused when a boolean parameter is not a boolean: ${named(booleans)}`,
            readings: [8],
            group: 'parameters',
            level: 'should',
          }
        : undefined,
  };
};

const bodies: Generator = (o) => {
  if (o.listedOnly) return {};
  const members = o.body?.requiredMembers ?? [];
  const badRequest = howRefused(o);
  return {
    'missing-body': o.body?.required
      ? {
          text: `${o.id} is refused ${badRequest} when the body is missing`,
          readings: [6, ...(isV3(o) ? [30] : [])],
          group: 'parameters',
        }
      : undefined,
    'missing-body-400':
      o.body?.required && !lists400(o)
        ? { text: `${o.id} answers a missing body with 400`, readings: [6], group: 'parameters', level: 'should' }
        : undefined,
    'required-members':
      members.length > 0
        ? {
            text: `${o.id} is refused ${badRequest} when a required member of the body is absent`,
            readings: [6, o.id === 'portal.getCIPCheck' ? 39 : 42],
            group: 'parameters',
            section: o.id === 'portal.getCIPCheck' ? 'getCIPCheck body' : 'orderCards body',
          }
        : undefined,
    'body-types':
      o.body && o.interface !== 'token'
        ? {
            text: `${o.id} is refused when a member of the body has another JSON type than documented`,
            readings: [8],
            group: 'parameters',
            level: 'should',
          }
        : undefined,
  };
};

const subjects: Generator = (o) => {
  if (o.listedOnly) return {};
  return {
    'nothing-else': [...STATE_CHANGING, 'cards.reissue'].includes(o.id)
      ? { text: `${o.id} changes no other card, and no balance`, readings: [10], group: 'effects' }
      : LEAVING_ALONE.includes(o.id)
        ? { text: `${o.id} changes neither the status nor the balance of a card`, readings: [10], group: 'effects' }
        : undefined,
    'unknown-identifier':
      o.pathParameters.length > 0
        ? { text: `${o.id} is refused for an identifier that names nothing`, readings: [11], group: 'errors' }
        : undefined,
    'unknown-identifier-404':
      o.pathParameters.length > 0
        ? {
            text: `${o.id} answers an identifier that names nothing with 404`,
            readings: [11],
            group: 'errors',
            level: 'should',
          }
        : undefined,
  };
};

/** Suffixes of requirements judged by every exchange; the others have checks of their own. */
const EVERY_EXCHANGE = new Set([
  'status',
  'shape',
  'media-type',
  'byte-order-mark',
  'null-members',
  'member-names',
  'time-offsets',
  'entries-present',
  'error-shape',
  'error-shape-other',
  'error-not-empty',
  'error-json',
  'error-object',
  'server-error',
]);

/** Builds a requirement from its hand-written part and its operation. */
export function requirement(o: Operation, name: string, statement: Statement): Requirement {
  return {
    id: `${o.id}.${name}`,
    level: statement.level ?? 'must',
    text: statement.text,
    source: statement.section ? { document: o.source.document, section: statement.section } : o.source,
    operations: statement.operations ?? [o.id],
    readings: statement.readings,
    group: statement.group,
    risk: statement.risk ?? o.risk,
    needs: statement.needs ?? [],
    everyExchange: statement.everyExchange ?? EVERY_EXCHANGE.has(name),
  };
}

export const everyOperationRequirements: readonly Requirement[] = operations
  .filter((o) => o.id !== 'token.authorize')
  .flatMap((o) =>
    [answers, errorBodies, authorisation, parameters, bodies, subjects].flatMap((generate) =>
      Object.entries(generate(o)).flatMap(([name, statement]) => (statement ? [requirement(o, name, statement)] : [])),
    ),
  );
