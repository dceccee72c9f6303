/** Determines which failure kept a requirement from being judged, by the exchanges that show it. */
import type { CheckResult, Exchange, RequirementResult } from '../contracts/record.ts';
import { STATE_CHANGING } from '../contracts/v3/cards.ts';
import type { Cause } from './causes.ts';
import { thingIn } from './deciding.ts';
import { groupOf, operationOf } from './page/groups.ts';
import { answers, isRefusedThough, refusalOf } from './refusal.ts';

type Evidence = ReadonlyMap<string, Exchange>;

/** How a difference begins whose request was accepted. */
const ACCEPTED = /^(?:status )?2\d\d\b/;

/** The operations that budgets limit, the option of each, and what suffices for a run on a sound target. */
const LIMITED: Readonly<Record<string, { operation: string; option: string; enough: number }>> = {
  RUN_MAX_ORDERS: { operation: 'portal.orderCards', option: 'max-orders', enough: 60 },
  RUN_MAX_CIP_CHECKS: { operation: 'portal.getCIPCheck', option: 'max-cip-checks', enough: 60 },
};

/** The settings of a run, by option. */
type Options = Readonly<Record<string, string>>;

/**
 * Attributes requirements without a conclusion to the failure that caused it. A failure hides a requirement if what ended its check is an
 * exchange that the failure condemns, is about a card that the failure shows to be in the wrong state, or is a limit that was reached
 * because the failure used it up. What nothing shows is attributed to nobody.
 */
export function attributeHidden(
  causes: readonly Cause[],
  inScope: readonly RequirementResult[],
  evidence: Evidence,
  options: Options = {},
): void {
  const open: RequirementResult[] = [];
  for (const one of inScope.filter(isUnseen)) {
    const cause = causeOf(one, causes, evidence, options);
    if (cause) cause.unseen.push(one);
    else open.push(one);
  }
  // What every exchange is judged by was not seen for want of one that is accepted, as the operation's own requirement says.
  for (const one of open.filter(({ checks }) => checks.every(({ exchanges }) => exchanges.length === 0))) {
    const accepted = `${operationOf(one)}.required-only`;
    causes.find(({ unseen }) => unseen.some(({ id }) => id === accepted))?.unseen.push(one);
  }
}

const isUnseen = ({ verdict, reason }: RequirementResult): boolean =>
  verdict === 'inconclusive' || verdict === 'blocked' || (verdict === 'skipped' && limitIn(reason) !== undefined);

/** The variable of the limit that a reason names as reached. */
const limitIn = (reason: string): string | undefined => /needs a larger (RUN_MAX_\w+)/.exec(reason)?.[1];

function causeOf(
  requirement: RequirementResult,
  causes: readonly Cause[],
  evidence: Evidence,
  options: Options,
): Cause | undefined {
  for (const check of requirement.checks.filter(({ verdict }) => verdict === requirement.verdict)) {
    const cause =
      namedIn(check, causes) ??
      usingUp(check, causes, evidence, options) ??
      condemning(stoppedBy(requirement, check, evidence), causes, evidence) ??
      misleading(check, causes, evidence);
    if (cause) return cause;
  }
  return undefined;
}

/** The failure that the reason refers to by its id. */
const namedIn = ({ message }: CheckResult, causes: readonly Cause[]): Cause | undefined => {
  const named = /, see ([\w.-]+\w)/.exec(message)?.[1];
  return named === undefined
    ? undefined
    : causes.find(({ requirements }) => requirements.some(({ id }) => id === named));
};

/** The failure by which most was accepted that counts towards a limit, and has to be refused; nobody, where the limit is too small for any run. */
function usingUp(
  { message }: CheckResult,
  causes: readonly Cause[],
  evidence: Evidence,
  options: Options,
): Cause | undefined {
  const { operation, option, enough } = LIMITED[limitIn(message) ?? ''] ?? {};
  if (option === undefined || Number(options[option] ?? enough) < enough!) return undefined;
  const wronglyAccepted = ({ exchanges, deciding }: Cause) =>
    exchanges.filter((id) => {
      const one = evidence.get(id);
      const isWrong = one?.intent !== 'valid' && one?.intent === deciding?.intent;
      return one?.operation === operation && isWrong && (one?.response?.status ?? 500) < 300;
    }).length;
  const [most] = causes
    .filter(({ difference }) => difference !== undefined && ACCEPTED.test(difference.actual))
    .toSorted((a, b) => wronglyAccepted(b) - wronglyAccepted(a));
  // A single one uses up nothing.
  return most && wronglyAccepted(most) > 1 ? most : undefined;
}

/**
 * The request that ended a check: the last one of the judged operation that was refused though nothing was wrong with it, else the last such; of
 * what an operation leaves alone, which others show, the last one of all where it was refused.
 */
function stoppedBy(
  requirement: RequirementResult,
  { exchanges }: CheckResult,
  evidence: Evidence,
): Exchange | undefined {
  const made = exchanges.flatMap((id) => evidence.get(id) ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (requirement.id.endsWith('.nothing-else')) return made.slice(-1).find(isRefusedThough);
  const refused = made.filter(isRefusedThough);
  return refused.findLast(({ operation }) => operation === operationOf(requirement)) ?? refused.at(-1);
}

/** The failure that an exchange shows, or whose request it repeats, or whose card it is about, or whose operation changed that card before. */
function condemning(exchange: Exchange | undefined, causes: readonly Cause[], evidence: Evidence): Cause | undefined {
  if (!exchange) return undefined;
  const refusal = refusalOf(exchange);
  const card = thingIn(exchange.request.url);
  const changes = changesOf(card, exchange, evidence);
  const ofStates = card === undefined ? [] : causes.filter(isOfState);
  const ofLast = ofStates.filter(({ requirements }) => requirements.some((one) => operationOf(one) === changes.at(-1)));
  const state = stateOf(card, exchange, evidence);
  return (
    causes.find((cause) => shows(exchange, cause)) ??
    causes.find(({ deciding }) => deciding && refusal !== undefined && refusalOf(deciding) === refusal) ??
    causes.find(({ deciding }) => deciding && isRefusedThough(deciding) && answers(deciding) === answers(exchange)) ??
    ofStates.find(({ deciding }) => thingIn(deciding?.request.url ?? '') === card) ??
    ofLast.find(({ difference }) => difference?.actual === state) ??
    ofLast[0]
  );
}

/** The status by which a card's own record shows its state, where an exchange is a reading of it. */
export const statusIn = ({ operation, response }: Exchange): string | undefined =>
  operation === 'cards.get' ? /"status"\s*:\s*"([^"]+)"/.exec(response?.body ?? '')?.[1] : undefined;

/** The status of a card as it was read last before an exchange. */
const stateOf = (card: string | undefined, { id }: Exchange, evidence: Evidence): string | undefined =>
  [...evidence.values()]
    .filter((one) => one.id < id && thingIn(one.request.url) === card && statusIn(one) !== undefined)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(statusIn)
    .at(-1);

/** The operations that were accepted for a card before an exchange, and may have changed its state; the last one last. */
const changesOf = (card: string | undefined, { id }: Exchange, evidence: Evidence): string[] =>
  [...evidence.values()]
    .filter((one) => one.id < id && isChange(one) && thingIn(one.request.url) === card)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ operation }) => operation);

/** Whether an exchange may have changed the state of a card. */
export const isChange = ({ operation, response }: Exchange): boolean =>
  STATE_CHANGING.includes(operation) && (response?.status ?? 500) < 300;

const shows = ({ id, findings = [] }: Exchange, { requirements, rests, deciding }: Cause): boolean =>
  deciding?.id === id ||
  findings.some(({ requirement }) => rests?.id === requirement || requirements.some((one) => one.id === requirement));

const isOfBodies = ({ requirements, rests }: Cause): boolean =>
  rests !== undefined || requirements.some((one) => groupOf(one) === 'shape');

/** Whether a failure shows a card in a state that it must not be in. */
export const isOfState = ({ difference }: Pick<Cause, 'difference'>): boolean => difference?.pointer === '/status';

/** The failure of bodies that most of what a check read, of which nothing was refused, shows. */
function misleading(check: CheckResult, causes: readonly Cause[], evidence: Evidence): Cause | undefined {
  const looked = check.exchanges.flatMap((id) => evidence.get(id) ?? []);
  if (looked.some(isRefusedThough)) return undefined;
  const times = (cause: Cause) => looked.filter((one) => shows(one, cause)).length;
  const [most] = causes.filter(isOfBodies).toSorted((a, b) => times(b) - times(a));
  return most && times(most) > 0 ? most : undefined;
}
