/** Which requests show a failure, with what leads to them: reports show them first, and reproductions send them. */
import { type CheckResult, EVERY_EXCHANGE, type Exchange, type RequirementResult } from '../contracts/record.ts';
import { STATE_CHANGING } from '../contracts/v3/cards.ts';
import { decidingAct, decidingExchange, thingIn } from './deciding.ts';

/** Largest number of a check's exchanges that are all sent again, of whichever shows the failure. */
const FEW = 6;
/** Largest number of steps of a reproduction. */
const MOST = 60;

/** Operations whose effects later exchanges may depend on. Of transfers only those are that must move nothing. */
const PREPARING: readonly string[] = [
  ...STATE_CHANGING,
  'cards.reissue',
  'users.setPermissions',
  'portal.orderCards',
  'portal.logout',
];
/** Operations that give what other requests are sent with. */
const GIVING: readonly string[] = ['token.issue', 'portal.login'];

/** Whether an exchange may have changed something that later ones depend on, though it was refused. */
export const mayPrepare = ({ operation, intent }: Exchange): boolean =>
  PREPARING.includes(operation) || (operation === 'cards.transfer' && intent === 'unauthorised');

/** Ids of the exchanges that a check refers to. */
export const cited = ({ exchanges, retrial }: Pick<CheckResult, 'exchanges' | 'retrial'>): string[] => [
  ...new Set([...exchanges, ...(retrial?.exchanges ?? [])]),
];

/**
 * The exchanges that show a failed check, in order: those of one try where it was tried again, else the deciding one, or all where they are few;
 * each with what it needs of the exchanges before it.
 *
 * @param madeBy other exchanges of a check that made some, which may have prepared them
 */
export function stepsOf(
  requirement: Pick<RequirementResult, 'id' | 'operations'>,
  check: CheckResult,
  evidence: ReadonlyMap<string, Exchange>,
  madeBy: (maker: string) => readonly Exchange[] = () => [],
): Exchange[] {
  const known = (ids: readonly string[]) => ids.flatMap((id) => evidence.get(id) ?? []);
  const all = inOrder(known(cited(check)));
  const tried = known(check.retrial?.once ?? check.retrial?.exchanges ?? []);
  const areAll = check.name !== EVERY_EXCHANGE && all.length <= FEW;
  const showing = tried.length > 0 ? tried : areAll ? all : deciding(requirement, check, evidence);
  const makers = [...new Set(showing.map(({ check: maker }) => maker))];
  const before = new Map([...all, ...makers.flatMap(madeBy)].map((one) => [one.id, one]));
  const isOfGiving = (one: Exchange) =>
    GIVING.includes(one.operation) && requirement.operations.includes(one.operation);
  const needed = new Map(showing.map((one) => [one.id, one]));
  for (const one of needed.values()) {
    const earlier = [...before.values()].filter(({ id }) => id < one.id);
    for (const other of [...earlier.filter(isOfGiving), ...preparing(one, earlier)]) needed.set(other.id, other);
  }
  return inOrder([...needed.values()]).slice(-MOST);
}

function deciding(
  requirement: Pick<RequirementResult, 'id' | 'operations'>,
  check: CheckResult,
  evidence: ReadonlyMap<string, Exchange>,
): Exchange[] {
  const shows = decidingExchange(requirement, check, evidence);
  if (!shows) return [];
  const act = decidingAct(requirement, check, shows, evidence);
  if (act) return [act, shows];
  const found = (one: Exchange) =>
    (one.findings ?? []).find((finding) => finding.requirement === requirement.id)?.message;
  const alike = check.exchanges.flatMap((id) => evidence.get(id) ?? []).filter((one) => found(one) === found(shows));
  return [found(shows) === undefined ? shows : (alike.find(({ intent }) => STATELESS.includes(intent)) ?? shows)];
}

/** Intents of requests whose answer depends on nothing that a target remembers. */
const STATELESS: readonly string[] = ['malformed', 'unknown'];

/** The earlier exchanges that may have brought about what one shows. */
function preparing(one: Exchange, earlier: readonly Exchange[]): Exchange[] {
  const things = [thingIn(one.request.url), ...targetsIn(one)];
  const changing = earlier.filter((other) => {
    if (other.operation === 'portal.logout')
      return other.credential !== undefined && other.credential === one.credential;
    const thing = thingIn(other.request.url);
    return mayPrepare(other) && thing !== undefined && things.includes(thing);
  });
  const orders = earlier.filter(({ operation }) => operation === 'portal.orderCards');
  const alike = (are: (value: string, other: string) => boolean) =>
    orders.filter((order) => uniqueIn(order).some((value) => uniqueIn(one).some((other) => are(value, other))));
  const same = alike((value, other) => value === other);
  return [...changing, ...(same.length > 0 ? same : alike(resemble))];
}

/** The values of an order that no other order may have. */
const uniqueIn = ({ request }: Exchange): string[] =>
  [...(request.body ?? '').matchAll(/"(?:externalIdentifier|otherInfo)"\s*:\s*"([^"]+)"/g)].map(([, value]) => value!);

/** The card that a transfer pays, percent-encoded. */
const targetsIn = ({ request }: Exchange): string[] =>
  [...(request.body ?? '').matchAll(/"targetCardIdentifier"\s*:\s*"([^"]+)"/g)].map(([, value]) =>
    encodeURIComponent(value!.toWellFormed()),
  );

/** Whether a careless comparison may take one value for the other. */
function resemble(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other]
    .map((text) => text.trim().toLowerCase())
    .toSorted((a, b) => a.length - b.length);
  if (short.length !== long.length) return long.includes(short);
  return [...short].filter((character, index) => character !== long[index]).length <= 1;
}

/** Whether some of the exchanges were under way at the same moment. */
export const areAtOnce = (steps: readonly Exchange[]): boolean =>
  steps.some((one, index) => {
    const before = steps[index - 1];
    return before !== undefined && sentAt(one) < sentAt(before) + before.durationMs;
  });

const sentAt = (exchange: Exchange): number => exchange.sentAt ?? Date.parse(exchange.startedAt);

/** Ids increase with time; of merged shards, those of one stand together. */
export const inOrder = (exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
