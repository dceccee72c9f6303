/**
 * Repeated orders as tables of cells: which kind after which other on which program, in whose session, when, and in which card (reading 44). Each run
 * plays the cells that are due; monitors judge what they show.
 */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { type Context, perOperation, type Scenario, scenario } from '../../../helpers/check.ts';
import * as Cells from '../../../helpers/engine/cells.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { hasClock } from '../../../helpers/runner/target-clock.ts';
import { notApplicable, optional } from '../../../helpers/verdict.ts';
import * as Sessions from '../scenarios/sessions.ts';
import * as ValidRequests from '../scenarios/valid-requests.ts';
import * as Bodies from './bodies.ts';
import * as Identifiers from './identifiers.ts';
import * as Kinds from './kinds.ts';
import * as Orders from './orders.ts';
import * as Repetitions from './repetitions.ts';
import * as Types from './types.ts';

const KINDS = ['plain', 'several', 'load', 'digital', 'instant'] as const;
const FACTORS = {
  program: [
    'personalized',
    'loadOn',
    'digitalOn',
    'instantIssue',
    'uniqueOtherInfo',
    'loadOff',
    'digitalOff',
    'duplicateLoadChecker',
  ],
  first: KINDS,
  second: [...KINDS, 'said otherwise'],
  session: ['same session', 'another login', 'another user'],
  moment: ['next', 'at once', 'days later'],
  card: ['first card', 'second card', 'last card'],
} as const;
type Repeat = Cells.Cell<typeof FACTORS>;
type Kind = Repeat['second'];

/** What makes orders of a kind; undefined where the program takes none. */
type Maker = (t: Context, base: Orders.Base) => (() => Bodies.Body) | Promise<(() => Bodies.Body) | undefined>;

/** A plain order of some cards on a program whose own order may be of another kind. */
function plainOf({ program: { key }, make }: Orders.Base, cards = 1): Bodies.Body {
  const order = make(cards);
  const physical = key === 'digitalOn' ? Bodies.asPhysical(order) : order;
  const personalized = key === 'instantIssue' ? Types.asPersonalized(physical) : physical;
  return Bodies.isLoad(personalized) ? Bodies.withoutAnywhere(personalized, 'amount', 'totalValue') : personalized;
}

/** The kind of an order; of one that is of several kinds, that which decides the most. */
function kindOf(order: Bodies.Body): Kind {
  if (order.isInstantIssue === true) return 'instant';
  if (Bodies.isDigital(order)) return 'digital';
  if (Bodies.isLoad(order)) return 'load';
  return Bodies.cardsOf(order).length > 1 ? 'several' : 'plain';
}

const makers: Readonly<Record<Kind, Maker>> = {
  plain: (_, base) => () => plainOf(base),
  several: (_, base) => () => plainOf(base, 3),
  load: async (t, base) =>
    base.program.key === 'loadOn'
      ? await optional(Kinds.requireLoad(t, 'loadOn'))
      : () => Bodies.withLoad(t, plainOf(base), Bodies.LOADS[0]),
  digital: async (t, base) =>
    base.program.key === 'digitalOn'
      ? await optional(Kinds.requireDigital(t, 'digitalOn'))
      : () => Bodies.asDigital(plainOf(base)),
  instant: (_, base) => () => Types.asInventory(plainOf(base)),
  'said otherwise': (t, base) => () => Types.ofSiblingType(Repetitions.withAllDifferences(t, plainOf(base))),
};

/** The kinds of orders that programs do not take, or of which it is open what they need. One that another program refuses shows nothing. */
const EXCLUDED: Readonly<Partial<Record<Bodies.ProgramKey, readonly Kind[]>>> = {
  loadOff: ['load'],
  digitalOff: ['digital'],
  uniqueOtherInfo: ['instant'],
};

/** Whether a program may take both orders. The clock is moved when all sessions but a new one are over. */
const isPossible = ({ program, first, second, session, moment }: Repeat): boolean => {
  const takes = (kind: Kind) => !EXCLUDED[program]?.includes(kind);
  return takes(first) && takes(second) && (moment !== 'days later' || session === 'another login');
};

/** The first order of a cell: its program and kind. */
const firstOf = ({ program, first }: Repeat): string => `${program} ${first}`;
const partsOf = (of: string) => of.split(' ') as [Bodies.ProgramKey, Kind];
const kindIn = (of: string): Kind => partsOf(of)[1];

/**
 * All pairs, and each kind after each other on each program, by whom and when it shows in any case: another user may not be entitled to order, and not
 * each run lets days pass. Of two at the same moment nobody knows which was the first.
 */
const coveredBy = (cell: Repeat): string[] => {
  const { program, first, second, session, moment, card } = cell;
  const pairs = Cells.pairsOf(cell);
  if (moment === 'at once') return [...pairs, [...[first, second].sort(), session].join(' then ')];
  const showsKinds = moment === 'next' && session !== 'another user';
  return showsKinds ? [...pairs, [program, first, second, card].join(' then ')] : pairs;
};

/** What a run tries that does not try everything: first orders beside those that are made anyway, later ones that repeat one of these, and pairs of orders at the same moment. */
const COUNTS = {
  externalIdentifier: { firsts: 1, repeats: 8, atOnce: 1 },
  otherInfo: { firsts: 1, repeats: 3, atOnce: 1 },
};

/** What first orders are repeated for besides the cells: their externalIdentifier on another program. */
export const ON_OTHERS = 'orders whose externalIdentifier another program has, too';

/** What one of two orders repeats of the other. */
type Unique = keyof typeof COUNTS;

/** Repeated orders of which one repeats a unique value of the other. */
export class Repeats {
  readonly #unique: Unique;
  /** What the cells are of, in words. */
  readonly name: string;
  /** The same of those at the same moment. */
  readonly #together: string;
  readonly #cells: readonly Repeat[];
  readonly #first: (of: string) => Scenario<Answer | undefined>;
  readonly #chosen: Scenario<Chosen>;

  constructor(unique: Unique, isMeant: (cell: Repeat) => boolean) {
    this.#unique = unique;
    this.name = `orders that repeat ${unique}`;
    this.#together = `${this.name}, at the same moment`;
    this.#cells = Cells.cellsOf(FACTORS, (cell) => isPossible(cell) && isMeant(cell));
    this.#first = perOperation(
      (of) => `${this.name}: first ${of}`,
      (t, of) => this.#makeFirst(t, of),
    );
    this.#chosen = scenario(`${this.name}: cells`, (t) => this.#choose(t));
  }

  /** Those in the session of the run. */
  readonly inSession = async (t: Context): Promise<void> => {
    t.prioritise();
    await this.#play(t, ({ session }) => session === 'same session');
  };

  /** Those in another session of the run's user, beside an earlier one. */
  readonly inAnother = (t: Context, sessions: InSessions): Promise<void> =>
    this.#play(t, ({ session, moment }) => session === 'another login' && moment !== 'days later', sessions);

  /** Those of another user. */
  readonly byAnother = (t: Context, sessions: InSessions): Promise<void> =>
    this.#play(t, ({ session }) => session === 'another user', sessions);

  /** Those of days before, in a new session. */
  readonly later = (t: Context, sessionId: string): Promise<void> =>
    this.#play(t, ({ moment }) => moment === 'days later', { first: sessionId, second: sessionId });

  async #play(t: Context, isMeant: (cell: Repeat) => boolean, sessions?: InSessions): Promise<void> {
    if (!ValidRequests.mayChange(t, Orders.ORDER)) return;
    const cells = (await t.known(this.#chosen)).cells.filter(isMeant);
    if (cells.length === 0) notApplicable(`none of the ${this.name} that this run tries is of that kind`);
    // The first orders may take a while to show.
    await t.settle();
    await Promise.all(cells.map((cell) => optional(t.shared(this.#playing(cell, sessions)))));
  }

  /** The cells that this run tries, of those that are to be had. */
  async #choose(t: Context): Promise<Chosen> {
    const programs = await this.#programs(t);
    const isHad = ({ program, session, moment }: Repeat) =>
      programs.includes(program) &&
      (session === 'same session' || t.run.client.sessions.renewable) &&
      (session !== 'another user' || t.fixtures.portal?.restrictedLogin !== undefined) &&
      (moment !== 'days later' || hasClock(t.run.configuration));
    const cells = this.#cells.filter(isHad);
    const { repeats, atOnce } = COUNTS[this.#unique];
    const how = { covers: coveredBy, name: Cells.nameOf };
    const [together, later] = [true, false].map((isAtOnce) =>
      cells.filter(({ moment }) => (moment === 'at once') === isAtOnce),
    ) as [Repeat[], Repeat[]];
    const { taken, refused } = await this.#makeFirsts(t, later);
    const repeating = later.filter((cell) => taken.has(firstOf(cell)));
    // What this target takes no first order of is no cell; of the others each run makes some.
    const table = later.filter((cell) => !refused.has(firstOf(cell)));
    // Orders that repeat another cost nothing, as far as those that were made show that nothing is made of them.
    await optional(t.known(Repetitions.repeated));
    const costs = Identifiers.isAnySecond(t.run.answers) && { costs: Orders.ORDER };
    const tried = [
      ...t.rotated(this.name, repeating, { ...how, table, count: repeats, ...costs }),
      ...t.rotated(this.#together, together, { ...how, table: together, count: atOnce, costs: Orders.ORDER }),
    ];
    return { cells: tried, firsts: [...taken] };
  }

  /** The accepted orders that this run makes and that others may repeat, by their program and kind. */
  async firsts(t: Context): Promise<{ name: string; kind: Kind; first: Answer }[]> {
    const { firsts } = await t.known(this.#chosen);
    return Promise.all(
      firsts.map(async (name) => ({ name, kind: kindIn(name), first: (await t.known(this.#first(name)))! })),
    );
  }

  /** Programs that take orders. An instant issue is inventory and names nobody, so what it needs of otherInfo is open. */
  async #programs(t: Context): Promise<Bodies.ProgramKey[]> {
    const keys = FACTORS.program.filter((key) => this.#cells.some(({ program }) => program === key));
    const bases = await Promise.all(keys.map((key) => Orders.acceptedBase(t, key)));
    const isMeant = (base: Orders.Base | undefined) =>
      base && (this.#unique === 'externalIdentifier' || base.make().isInstantIssue !== true);
    return keys.filter((_, index) => isMeant(bases[index]));
  }

  /** The orders that cells repeat: those that are made in any case, and some others. @returns which are accepted, and which are not */
  async #makeFirsts(t: Context, cells: readonly Repeat[]): Promise<{ taken: Set<string>; refused: Set<string> }> {
    const isKnown = async (of: string) => (await optional(this.#known(t, of))) !== undefined;
    const all = [...new Set(cells.map(firstOf))];
    const known = new Set<string>();
    for (const of of all) if (await isKnown(of)) known.add(of);
    const refused = new Set<string>();
    const make = async (of: string) => {
      const first = await optional(t.shared(this.#first(of)));
      if (!first) refused.add(of);
      return first;
    };
    const kinds = new Set<string>([...known].map(kindIn));
    const made = await t.rotatedMade(
      `${this.name}: first orders`,
      all.filter((of) => !known.has(of)),
      make,
      {
        count: COUNTS[this.#unique].firsts,
        costs: Orders.ORDER,
        // Kinds that are not made anyway come first.
        covers: (of) => [of, ...partsOf(of).filter((part) => !kinds.has(part))],
        leadsTo: [
          { subject: this.name, formsOf: (of) => cells.filter((cell) => firstOf(cell) === of).map(Cells.nameOf) },
          ...(this.#unique === 'externalIdentifier' ? [{ subject: ON_OTHERS, formsOf: (of: string) => [of] }] : []),
        ],
      },
    );
    return { taken: new Set([...known, ...made.map(([of]) => of)]), refused };
  }

  /** An accepted order of a kind, with the unique value, that is made in any case. */
  async #known(t: Context, of: string): Promise<Answer | undefined> {
    const [key, kind] = partsOf(of);
    const { answer } = await Orders.requireBase(t, key);
    const isOfBase = kind === kindOf(Bodies.orderIn(answer));
    const made: Partial<Record<Kind, () => Promise<{ answer: Answer }>>> = {
      ...(['personalized', 'uniqueOtherInfo'].includes(key) && { several: () => t.shared(Kinds.severalOn(key)) }),
      ...(key === 'loadOn' && { load: () => t.shared(Kinds.loads(key)) }),
      ...(key === 'digitalOn' && { digital: () => t.shared(Kinds.digitals(key)) }),
    };
    const known = isOfBase ? answer : (await optional(made[kind]?.()))?.answer;
    return known && succeeded(known) && this.#valueIn(Bodies.orderIn(known)) !== undefined ? known : undefined;
  }

  /** An accepted order of a kind on a program, with the unique value; undefined where the program takes none. */
  async #makeFirst(t: Context, of: string): Promise<Answer | undefined> {
    // What is sent here shows this order alone.
    t.rotated(`${this.name}: first orders`, [of]);
    const [key, kind] = partsOf(of);
    const known = await this.#known(t, of);
    const make = known ? undefined : await makers[kind](t, await Orders.requireBase(t, key));
    if (!make) return known;
    const unique = String(this.#valueIn(this.#withFresh(t, make())));
    // An odd value shows the most. An order that the program may refuse anyway has a plain one.
    const isTaken = kind === 'plain' && !['digitalOn', 'instantIssue'].includes(key);
    const forms = isTaken ? Forms.oddFormsOf(t, this.name, unique).slice(-2) : [unique];
    const bodies = forms.map((form) => this.#withValue(this.#withFresh(t, make()), form));
    const first = await Orders.firstAccepted(t, bodies, isTaken ? 'unusual' : 'refusable');
    return succeeded(first) ? first : undefined;
  }

  /** Plays a cell, as a scenario of its own: what is sent there shows this cell alone. */
  #playing(cell: Repeat, sessions: InSessions | undefined): Scenario<unknown> {
    return scenario(`${this.name}: ${Cells.nameOf(cell)}`, async (t) => {
      t.rotated(cell.moment === 'at once' ? this.#together : this.name, [Cells.nameOf(cell)]);
      const base = await Orders.requireBase(t, cell.program);
      const second = await makers[cell.second](t, base);
      if (!second) return undefined;
      if (cell.moment === 'at once') return this.#playAtOnce(t, cell, base, second, sessions);
      const first = await t.known(this.#first(firstOf(cell)));
      const repeated = this.#withValue(this.#withFresh(t, second()), this.#valueIn(Bodies.orderIn(first!)), cell);
      return Orders.send(t, repeated, { mayUseKept: true, ...Sessions.within(sessions?.second) });
    });
  }

  async #playAtOnce(t: Context, cell: Repeat, base: Orders.Base, second: () => Bodies.Body, sessions?: InSessions) {
    const first = await makers[cell.first](t, base);
    if (!first) return undefined;
    const one = this.#withFresh(t, first());
    const other = this.#withValue(this.#withFresh(t, second()), this.#valueIn(one), cell);
    return Promise.all([
      Orders.send(t, one, { atOnce: true, ...Sessions.within(sessions?.first) }),
      Orders.send(t, other, { atOnce: true, ...Sessions.within(sessions?.second) }),
    ]);
  }

  /** The order with a fresh unique value. */
  #withFresh(t: Context, order: Bodies.Body): Bodies.Body {
    return this.#unique === 'externalIdentifier' ? Bodies.identified(t, order) : Bodies.renewed(t, order);
  }

  #valueIn(order: Bodies.Body): unknown {
    return this.#unique === 'externalIdentifier' ? order.externalIdentifier : Bodies.cardsOf(order)[0]?.otherInfo;
  }

  /** The order with a unique value, in the card that a cell names. */
  #withValue(
    order: Bodies.Body,
    value: unknown,
    { card: place }: Pick<Repeat, 'card'> = { card: 'first card' },
  ): Bodies.Body {
    if (this.#unique === 'externalIdentifier') return { ...order, externalIdentifier: value };
    const repeating = Bodies.cardsOf(order).at({ 'first card': 0, 'second card': 1, 'last card': -1 }[place]);
    return Bodies.withCards(order, (card) => (card === repeating ? { ...card, otherInfo: value } : card));
  }
}

/** The cells that a run tries, and the first orders that it makes for them, by their program and kind. */
interface Chosen {
  cells: readonly Repeat[];
  firsts: readonly string[];
}

/** Sessions in which the first and the second order are sent. */
interface InSessions {
  first: string;
  second: string;
}

/** Of externalIdentifiers of orders. */
export const ofIdentifiers = new Repeats('externalIdentifier', ({ card }) => card === 'first card');

/** Of otherInfo: in one card of several; of several at the same moment nothing tells which cards were made. */
export const ofInfos = new Repeats(
  'otherInfo',
  ({ program, first, second, moment, card }) =>
    program === 'uniqueOtherInfo' &&
    (card === 'first card' || second === 'several') &&
    !(moment === 'at once' && [first, second].includes('several')),
);
