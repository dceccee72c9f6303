/** Example requests of every operation. Only these, and the overlays, hold values that depend on the target. */
import type { FixtureProgram, Fixtures } from '../fixtures.ts';
import { operations } from '../operations.ts';
import { CARD_READINGS } from '../v3/cards.ts';
import { v1Shapes, v3Shapes } from './shapes.ts';

/** Values of a request; absent ones are not sent. */
export interface RequestExample {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: Body;
}
type Body = Readonly<Record<string, unknown>>;

/** Examples by operation id. */
export type RequestExamples = Readonly<Record<string, RequestExample>>;

/** The input of a target's owner: its data, and the credentials of the token endpoint and of the portal. */
export interface TargetValues extends Fixtures {
  readonly tokenRequest?: Body;
  readonly login?: { readonly loginID: string; readonly password: string };
}

/** Parameters that any target accepts. */
const PARAMETERS: RequestExamples = Object.fromEntries(
  operations.map(({ id, query }) => [
    id,
    {
      parameters: Object.fromEntries(
        query.filter(({ example }) => example !== undefined).map(({ name, example }) => [name, example]),
      ),
    },
  ]),
);

/** Bodies, or parts of them, that any target accepts: an overlay can add members, but not remove them. */
const BODIES: RequestExamples = {
  'token.issue': { body: { grant_type: 'client_credentials' } },
  'users.setPermissions': { body: {} },
  'cards.encryptForVde': { body: v3Shapes.encryptionRequest!.example as Body },
  'cards.reissue': { body: v3Shapes.cardReissue!.example as Body },
  'cards.setPin': { body: v3Shapes.updatePin!.example as Body },
  'portal.orderCards': { body: v1Shapes.Order!.example as Body },
};

/** The target that the published documents invent. */
export const inventedTarget = {
  tokenRequest: { client_id: 'client-0001', client_secret: 'invented' },
  users: { customerIdentifier: 'customer-0001', writableCustomerIdentifier: 'customer-0001' },
  cards: {
    active: ['card-0001', 'card-0002', 'card-0003'],
    disposable: ['card-0004', 'card-0005', 'card-0006', 'card-0007', 'card-0008'],
    unused: ['card-0009'],
    fraud: ['card-0010'],
    withRelated: 'card-0001',
  },
  login: { loginID: 'ada', password: 'invented' },
  portal: {
    customerId: 4711,
    programs: { personalized: 815 },
    cip: { pass: v1Shapes.CIPCheck!.example as Record<string, unknown> },
    atm: { latitude: '39.80', longitude: '-89.64' },
  },
} as const satisfies TargetValues;

/**
 * The examples filled with a target's data, as in overlays; operations that lack a needed value are omitted. Operations
 * that use up a card take one each, as far as the pool goes.
 */
export function targetExamples(target: TargetValues): RequestExamples {
  const { users = {}, cards = {}, portal = {} } = target;
  const { active = [], disposable = [], unused = [], fraud = [] } = cards;
  const { customerId, programs = {}, cip = {}, atm = {} } = portal;
  const card = (identifier: string | undefined, body?: Body) => example({ identifier }, body);
  const used = (index: number) => card(disposable[index % disposable.length]);
  const examples: Record<string, RequestExample | undefined> = {
    'token.issue': target.tokenRequest && { body: target.tokenRequest },
    'users.get': example({ identifier: users.customerIdentifier }),
    'users.setPermissions': example(
      { identifier: users.writableCustomerIdentifier },
      users.writableCustomerPermissions,
    ),
    ...Object.fromEntries(CARD_READINGS.map((id) => [id, card(active[0])])),
    'cards.encryptForVde': card(active[0]),
    'cards.listRelated': card(cards.withRelated),
    'cards.transfer': active[1] === undefined ? undefined : card(active[0], transferTo(active[1], cards)),
    'cards.suspend': card(active[2]),
    'cards.unsuspend': card(active[2]),
    'cards.markWalletProvisioned': used(0),
    'cards.setPin': used(1),
    'cards.reissue': used(2),
    'cards.markLost': used(3),
    'cards.close': used(4),
    'cards.activate': card(unused[0]),
    'cards.unmarkFraud': card(fraud[0]),
    'portal.login': target.login && example(target.login),
    'portal.getCustomerHierarchy': example({ customerId }),
    'portal.getCustomerProgramList': example({ customerId }),
    'portal.getATMLocation': example({ latitude: atm.latitude, longitude: atm.longitude }),
    'portal.getCIPCheck': cip.pass && { body: cip.pass },
    'portal.orderCards': orderExample(programs.personalized, customerId),
  };
  return Object.fromEntries(
    Object.entries(examples).filter((entry): entry is [string, RequestExample] => entry[1] !== undefined),
  );
}

/** Parameters and possibly a body; undefined if a parameter is unknown. */
function example(parameters: Record<string, unknown>, body?: Body): RequestExample | undefined {
  if (Object.values(parameters).includes(undefined)) return undefined;
  return { parameters, ...(body !== undefined && { body }) };
}

const transferTo = (
  targetCardIdentifier: string,
  { transferAmounts, transferBody }: NonNullable<Fixtures['cards']>,
) => ({
  ...transferBody,
  targetCardIdentifier,
  amount: transferAmounts?.least ?? 1,
});

/** The program's own order, or a plain one; without an externalIdentifier it can be repeated. */
function orderExample(program: FixtureProgram | undefined, customerId: unknown): RequestExample | undefined {
  if (typeof program === 'object' && program.order) return { body: program.order };
  const custProgId = typeof program === 'object' ? program.custProgId : program;
  if (custProgId === undefined || customerId === undefined) return undefined;
  return { body: { custProgId, customerId } };
}

/**
 * Examples of every operation that has any: generally valid values, the invented target's, and a target's own, which
 * win.
 */
export function requestExamples(target: TargetValues = {}): RequestExamples {
  const layers = [PARAMETERS, BODIES, targetExamples(inventedTarget), targetExamples(target)];
  const ids = new Set(layers.flatMap((layer) => Object.keys(layer)));
  return Object.fromEntries(
    [...ids].map((id) => {
      const examples = layers.map((layer) => layer[id] ?? {});
      const bodies = examples.flatMap(({ body }) => body ?? []);
      const parameters = Object.assign({}, ...examples.map((one) => one.parameters));
      return [id, { parameters, ...(bodies.length > 0 && { body: Object.assign({}, ...bodies) }) }];
    }),
  );
}
