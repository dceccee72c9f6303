/**
 * Cards that were changed are found in every way as their records show them, where they were found before, too (readings 10, 22, 23 and 26): a table of
 * cells. Each run plays the cells that are due, each on cards of its own.
 */
import { type Answer, member, succeeded } from '../../../helpers/answer.ts';
import type { Call } from '../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../helpers/cards/pools.ts';
import { type Context, onceMore, type Scenario, scenario } from '../../../helpers/check.ts';
import * as Cells from '../../../helpers/engine/cells.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { fail, judgeInTurn, notApplicable } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Payments from './money/payments.ts';
import * as LookUps from './scenarios/look-ups.ts';
import * as Steps from './scenarios/steps.ts';

const WAYS = [LookUps.LISTED, ...LookUps.LOOK_UPS];
const FACTORS = {
  change: ['that was suspended', 'that was unsuspended', 'that paid', 'that was paid'],
  way: WAYS.map(({ name }) => name),
  before: ['found before', 'not found before'],
} as const;
type Case = Cells.Cell<typeof FACTORS>;
const CELLS = Cells.cellsOf(FACTORS);

const wayOf = ({ way }: Case): LookUps.Way => WAYS.find(({ name }) => name === way)!;

/** A card, and another one that pays it, or is paid by it. */
type Pair = readonly [card: LeasedCard, other: LeasedCard];

/** Leads a card into the state that a change is made in, then makes the change. */
interface Change {
  prepare?: (t: Context, card: LeasedCard) => Promise<unknown>;
  make: (t: Context, pair: Pair) => Promise<Answer>;
  /** What refreshes the record then, and the member that shows the change. */
  refresh: 'cards.getStatus' | 'cards.getBalance';
  shows: 'status' | 'balance';
}

const suspend = (t: Context, { identifier }: LeasedCard) => Steps.ask(t, 'cards.suspend', identifier);

function pay(t: Context, { identifier: from }: LeasedCard, { identifier: to }: LeasedCard): Promise<Answer> {
  const { cents, members } = Payments.likeliest(t);
  return Steps.ask(t, 'cards.transfer', from, Payments.make(from, to, cents, members).input.json);
}

/** What is refused shows nothing here: others judge that. */
async function expectDone(what: string, ask: Promise<Answer>): Promise<void> {
  if (!succeeded(await ask)) notApplicable(`${what} is refused`);
}

const CHANGES: Readonly<Record<Case['change'], Change>> = {
  'that was suspended': { make: (t, [card]) => suspend(t, card), refresh: 'cards.getStatus', shows: 'status' },
  'that was unsuspended': {
    async prepare(t, card) {
      await expectDone('the suspension', suspend(t, card));
      await t.settle();
    },
    make: (t, [{ identifier }]) => Steps.unsuspend(t, identifier),
    refresh: 'cards.getStatus',
    shows: 'status',
  },
  'that paid': { make: (t, [card, other]) => pay(t, card, other), refresh: 'cards.getBalance', shows: 'balance' },
  'that was paid': { make: (t, [card, other]) => pay(t, other, card), refresh: 'cards.getBalance', shows: 'balance' },
};

/** What a way shows of a card otherwise than its record, which is the same before and after it; undefined for nothing. */
interface Stale {
  message: string;
  expected: string;
  actual: string;
  found: Answer;
}

/** Changes a card, and finds it. @throws NotApplicable where it cannot be changed, or is not found in that way */
async function changeAndFind(t: Context, cell: Case, pair: Pair): Promise<Stale | undefined> {
  const { change, way, before } = cell;
  const { prepare, make, refresh, shows } = CHANGES[change];
  const [card] = pair;
  const { identifier, record } = card;
  const call: Call = (operation, input) => t.call(operation, input, { intent: 'refusable' });
  const read = () => call('cards.get', { path: { identifier } });
  const find = async () =>
    (record && (await wayOf(cell).find(call, record, t))) ?? notApplicable(`the card is not ${way}`);
  await prepare?.(t, card);
  const known = before === 'found before' ? await find() : undefined;
  await known?.();
  await expectDone(`what makes a card one ${change}`, make(t, pair));
  await expectDone(refresh, call(refresh, { path: { identifier } }));
  await t.settle();
  const look = known ?? (await find());
  const is = member(await read(), shows);
  const shownIn = (answer: Answer) => LookUps.shownIn(answer, identifier, shows);
  const isShown = (answer: Answer) =>
    [undefined, null].includes(shownIn(answer) as never) || LookUps.isSame(shownIn(answer), is);
  const found = await t.shown(look, isShown);
  if (is === undefined || isShown(found) || !LookUps.isSame(member(await read(), shows), is)) return undefined;
  const message = `a card ${change} is ${way} with another ${shows} than its record has`;
  return { message, expected: `${is}`, actual: `${shownIn(found)}`, found };
}

const SUBJECT = 'changed cards that are found';

/** A cell, on cards of its own. */
function playing(cell: Case): Scenario<Stale | undefined> {
  return scenario(`a card ${cell.change}, ${cell.way}, ${cell.before}`, async (t) => {
    t.rotated(SUBJECT, [Cells.nameOf(cell)]);
    Steps.requireUnsuspendInScope(t);
    const isPaid = CHANGES[cell.change].shows === 'balance';
    const first = await wayOf(cell).among?.(t);
    const [cards] = (await t.lease({
      pool: 'active',
      count: isPaid ? 2 : 1,
      isUnpaid: !isPaid,
      ...(first && { first }),
    })) as [LeasedCard[]];
    const [card, other = card] = cards as [LeasedCard, LeasedCard?];
    return changeAndFind(t, cell, [card, other]);
  });
}

/** The cells that a run plays: stale is one way, after one change, where it was gone before. */
const chosen = scenario(SUBJECT, async (t) => t.rotated(SUBJECT, CELLS, { name: Cells.nameOf }));

async function expectFound(t: Context, cell: Case): Promise<void> {
  const play = playing(cell);
  const stale = await t.shared(play);
  if (!stale) return;
  const isShownAgain = async () => (await t.shared(onceMore(play))) !== undefined;
  const retrial = await Retrial.shownByAnother(t, stale.message, isShownAgain, { mustBeTried: true });
  fail(stale.message, stale.expected, stale.actual, { in: stale.found, retrial });
}

/** Declares that cards are found as they are. @param isMeant the cells that show it */
function finds(requirement: string, name: string, isMeant: (cell: Case) => boolean): void {
  check(requirement, name, { applies: Steps.mayChangeActive }, async (t) => {
    const cells = (await t.known(chosen)).filter(isMeant);
    if (cells.length === 0) notApplicable(`this run tries no card ${name}`);
    await judgeInTurn(cells, (cell) => expectFound(t, cell));
  });
}

const isListed = ({ way }: Case): boolean => way === LookUps.LISTED.name;
finds('cards.list.agrees-with-record', 'changed, and listed', isListed);
for (const refresh of ['cards.getStatus', 'cards.getBalance'] as const)
  finds(
    `${refresh}.refreshes-record`,
    `whose ${refresh === 'cards.getStatus' ? 'status' : 'balance'} changed, found by proxy, by token, and among related cards`,
    (cell) => CHANGES[cell.change].refresh === refresh && !isListed(cell),
  );
