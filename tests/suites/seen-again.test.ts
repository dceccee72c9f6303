/** What others' searches, orders and readings show where they were made as often as a run would make them. */
import { describe, expect, test } from 'vitest';
import type { Answer, Input, Intent } from '../../helpers/answer.ts';
import { answerTo } from '../tools/answers.ts';
import { shownBy } from '../tools/shown.ts';

const SETTLE_MS = 100;

/** Exchanges one after the other, each answered when half the settle time is over. */
function inTurn(steps: readonly ((more: Partial<Answer>) => Answer)[]): Answer[] {
  return steps.map((step, at) => {
    const sentAt = at * SETTLE_MS;
    return step({ exchange: `x${at}`, sentAt, answeredAt: sentAt + SETTLE_MS / 2 });
  });
}

type Step = Parameters<typeof inTurn>[0][number];

describe('searches', () => {
  /** A search in words: `? -> a b`, `programIdentifier=p1 max=1 -> a`; what names nothing is `unknown`. */
  const searched =
    (operation: string) =>
    (words: string): Step => {
      const [asked = '', found = ''] = words.split(' -> ');
      const parts = asked.replace('?', '').split(' ');
      const query = Object.fromEntries(
        parts.filter((part) => part.includes('=')).map((part) => decodeURIComponent(part).split('=')),
      );
      const intent: Intent = parts.includes('unknown') ? 'unknown' : 'refusable';
      const results = found
        .split(' ')
        .filter(Boolean)
        .map((identifier) => ({ identifier }));
      return (more) =>
        answerTo(operation, { results }, { ...more, token: 't', intent, input: { query: { max: 50, ...query } } });
    };
  const shown = (requirement: string, searches: readonly string[], fixtures = {}) =>
    shownBy(requirement, inTurn(searches.map(searched(requirement.split('.').slice(0, 2).join('.')))), {
      fixtures,
      settleMs: SETTLE_MS,
    });
  const PROGRAM = 'cards.list.filter-program';
  const ORDER = 'cards.list.filter-order';
  const NAME = 'users.list.filter-name';
  const times = (count: number, ...searches: readonly string[]) => Array.from({ length: count }, () => searches).flat();

  test.each<[string, string, readonly string[], string]>([
    ['finds what the listing leaves out', PROGRAM, ['? -> a b', 'programIdentifier=p1 -> a c'], 'failed'],
    ['is ignored with another max', ORDER, ['orderIdentifier=o1 -> a', 'orderIdentifier=o1 max=20 -> a b'], 'failed'],
    [
      'is ignored beside another one',
      ORDER,
      ['orderIdentifier=o1 -> a', 'orderIdentifier=o1 programIdentifier=p1 -> a b'],
      'failed',
    ],
    [
      'finds nothing beside another one',
      PROGRAM,
      ['orderIdentifier=o1 -> a', 'programIdentifier=p1 -> a', 'orderIdentifier=o1 programIdentifier=p1 -> '],
      'failed',
    ],
    [
      'finds the same by another value',
      PROGRAM,
      ['programIdentifier=p17 -> a', 'unknown programIdentifier=p1 -> a'],
      'failed',
    ],
    ['finds less by a part of a name', NAME, ['name=AcmeCorp -> a', 'name=Acme -> b'], 'failed'],
    ['narrows', PROGRAM, ['? -> a b', 'programIdentifier=p1 -> a'], 'kept'],
    [
      'finds others by another value',
      PROGRAM,
      ['programIdentifier=p17 -> a', 'unknown programIdentifier=p1 -> '],
      'kept',
    ],
    // Someone else may have asked for it, and then it names something.
    [
      'finds the same by another value that others use',
      PROGRAM,
      ['programIdentifier=p17 -> a', 'programIdentifier=p1 -> a'],
      'kept',
    ],
    [
      'finds the same in blanks',
      PROGRAM,
      ['programIdentifier=p17 -> a', 'unknown programIdentifier=%20p17 -> a'],
      'kept',
    ],
    ['finds more by a part of a name', NAME, ['name=AcmeCorp -> a', 'name=Acme -> a b'], 'kept'],
  ])('a filter that %s each time', (_, requirement, searches, verdict) => {
    expect(shown(requirement, ['? -> a b d', ...times(3, ...searches)])).toBe(verdict);
  });

  const surplus = ['? -> a b', 'programIdentifier=p1 -> a c'];
  test.each<[string, readonly string[], string]>([
    ['twice', times(2, ...surplus), 'suspected'],
    ['before and after it comes to the listing', [...times(3, ...surplus), '? -> a b c'], 'suspected'],
    ['after all listings', [...times(3, '? -> a b'), ...times(3, 'programIdentifier=p1 -> a c')], 'suspected'],
    [
      'beside a listing that is not complete',
      times(3, `? -> ${Array.from({ length: 50 }, (_, n) => `n${n}`).join(' ')}`, surplus[1]!),
      'nothing',
    ],
  ])('what a filter finds beyond the listing accuses nobody: %s', (_, searches, verdict) => {
    expect(shown(PROGRAM, searches)).toBe(verdict);
  });

  test.each<[string, string, readonly string[], string]>([
    ['finds nothing', ORDER, times(3, 'orderIdentifier=o1 -> '), 'failed'],
    ['finds nothing once', ORDER, ['orderIdentifier=o1 -> ', ...times(2, 'orderIdentifier=o1 -> a')], 'kept'],
    ['finds nothing of another value', ORDER, times(3, 'orderIdentifier=o2 -> '), 'kept'],
    ['leaves out whom it must find', NAME, times(3, 'name=Acme -> b'), 'failed'],
    ['finds whom it must leave out', NAME, times(3, 'name=Acme -> a z'), 'failed'],
    ['finds whom it must', NAME, times(3, 'name=Acme -> a b'), 'kept'],
  ])('a value of the fixtures file %s', (_, requirement, searches, verdict) => {
    const users = { nameFragment: 'Acme', nameMatchIdentifier: 'a', nameMismatchIdentifier: 'z' };
    expect(
      shown(requirement, ['? -> a b d', ...searches], { users, cards: { filters: { orderIdentifier: 'o1' } } }),
    ).toBe(verdict);
  });

  test('a customer on two pages is a suspicion, and on the same two pages of every walk none', () => {
    const page = (query: Input['query'], ids: string[], continuationToken?: string): Step => {
      const results = ids.map((identifier) => ({ identifier }));
      return (more) =>
        answerTo('users.list', { results, continuationToken }, { ...more, token: 't', input: { query } });
    };
    const walk = (token: string) => [page({ max: 2 }, ['a', 'b'], token), page({ max: 2, token }, ['b', 'c'])];
    const of = (...walks: Step[][]) =>
      shownBy('users.list.pagination-repeats-nobody', inTurn(walks.flat()), { fixtures: {}, settleMs: SETTLE_MS });
    expect(of(walk('n1'))).toBe('suspected');
    expect(of(walk('n1'), walk('n2'), walk('n3'))).toBe('failed');
  });
});

describe('orders on programs that the fixtures file declares', () => {
  const fixtures = {
    portal: { foreignCustomerId: 9001, programs: { digitalOff: 1, loadOff: 2, uniqueOtherInfo: 3, personalized: 4 } },
  };
  const order = (json: object, status = 200): Step => {
    return (more) =>
      answerTo(
        'portal.orderCards',
        {},
        {
          ...more,
          status,
          intent: 'refusable',
          sessionId: 's',
          input: { json },
        },
      );
  };
  const login = (loginID: string): Step => {
    return (more) => answerTo('portal.login', { sessionId: loginID }, { ...more, input: { query: { loginID } } });
  };
  const plain = (custProgId: number, card: object = {}) => ({ custProgId, customerId: 5001, orderDetails: [card] });
  const digital = { ...plain(1), cardType: 'Digital' };
  const load = plain(2, { amount: 5 });
  const whole = plain(3, { otherInfo: 'e-1' });
  const half = { ...whole, orderDetails: [{ otherInfo: 'e-1' }, {}] };
  const foreign = { ...plain(4), customerId: 9001 };

  test.each<[string, string, readonly Step[], string]>([
    ['a Digital order where they are off', 'digital-off', [order(digital)], 'failed'],
    ['one that is refused', 'digital-off', [order(plain(1)), order(digital, 400)], 'kept'],
    ['one that is refused like any other', 'digital-off', [order(plain(1), 400), order(digital, 400)], 'nothing'],
    ['a Digital order elsewhere', 'digital-off', [order({ ...digital, custProgId: 4 })], 'nothing'],
    ['a load where they are off', 'load-off', [order(load)], 'failed'],
    ['no load where they are off', 'load-off', [order(plain(2, { amount: 0 }))], 'nothing'],
    ['a card without otherInfo', 'other-info-required', [order(half)], 'failed'],
    ['each with its own', 'other-info-required', [order(whole)], 'nothing'],
    [
      'an instant issue, which names nobody',
      'other-info-required',
      [order({ ...half, isInstantIssue: true })],
      'nothing',
    ],
    ['for the foreign customer', 'foreign-customer', [login('ada'), order(foreign)], 'failed'],
    ['for it by one of two users', 'foreign-customer', [login('ada'), login('bob'), order(foreign)], 'suspected'],
    ['for it, refused', 'foreign-customer', [login('ada'), order(foreign, 400)], 'nothing'],
  ])('%s', (_, requirement, steps, verdict) => {
    const known = { fixtures, settleMs: SETTLE_MS };
    expect(shownBy(`portal.orderCards.${requirement}`, inTurn(steps), known)).toBe(verdict);
  });
});

describe('cards', () => {
  const on = (id: string, identifier: string, body: unknown = {}): Step => {
    return (more) => answerTo(id, body, { ...more, intent: 'refusable', input: { path: { identifier } } });
  };
  const read = (card: string, status: string) => [
    on('cards.getStatus', card, { status: 1 }),
    on('cards.get', card, { status }),
  ];
  const suspended = (card: string, status: string) => [
    on('cards.suspend', card),
    ...[1, 2, 3, 4].flatMap(() => read(card, status)),
  ];
  const fixtures = { cards: { active: ['a', 'b'], disposable: ['d'] } };
  const known = { fixtures, settleMs: SETTLE_MS };

  test.each<[string, readonly Step[], string]>([
    ['one', suspended('a', 'Active'), 'suspected'],
    ['two that nobody else uses', [...suspended('a', 'Active'), ...suspended('d', 'Active')], 'failed'],
    ['two that others may use', [...suspended('x', 'Active'), ...suspended('y', 'Active')], 'suspected'],
    ['one of the two', [...suspended('a', 'Active'), ...suspended('y', 'Active')], 'suspected'],
    ['none', [...suspended('a', 'Blocked'), ...suspended('d', 'Blocked')], 'kept'],
  ])('that are suspended, and Active: %s', (_, steps, verdict) => {
    expect(shownBy('cards.suspend.not-active', inTurn(steps), known)).toBe(verdict);
  });

  const WALLET = 'cards.markWalletProvisioned.provisioned';
  const record = (identifier: string, isProvisionedToWallet: boolean) =>
    on('cards.get', identifier, { identifier, isProvisionedToWallet });
  const listed = (isProvisionedToWallet: boolean): Step => {
    const body = { results: [{ identifier: 'a', isProvisionedToWallet }] };
    return (more) => answerTo('cards.list', body, more);
  };
  const marked = [on('cards.markWalletProvisioned', 'a'), record('a', true)];
  const late = [listed(true), listed(false), listed(false)];
  test.each<[string, readonly Step[], string]>([
    ['as provisioned', [...marked, listed(true)], 'kept'],
    ['as not provisioned, again and again', [...marked, ...late, listed(false)], 'failed'],
    ['as not provisioned, for a while', [...marked, ...late], 'suspected'],
    [
      'as not provisioned once it was reissued',
      [...marked, on('cards.reissue', 'a'), ...late, listed(false)],
      'nothing',
    ],
  ])('a card that is provisioned is listed %s', (_, steps, verdict) => {
    expect(shownBy(WALLET, inTurn(steps), known)).toBe(verdict);
  });

  test('one that others may use is suspected, however often it is listed as not provisioned', () => {
    const others = { fixtures: { cards: { active: ['b'] } }, settleMs: SETTLE_MS };
    expect(shownBy(WALLET, inTurn([...marked, ...late, listed(false)]), others)).toBe('suspected');
  });
});

describe('wrong requests', () => {
  const known = { fixtures: {}, settleMs: SETTLE_MS };
  const list = (max: number | string, status = 200): Step => {
    return (more) =>
      answerTo('users.list', status === 200 ? { results: [] } : [], {
        ...more,
        status,
        token: 't',
        intent: max === 'abc' ? 'malformed' : 'refusable',
        input: { query: { max } },
      });
  };
  const [right, wrong] = [list(50), list('abc', 500)];
  test.each<[string, readonly Step[], string]>([
    ['three times between right ones', [right, wrong, right, wrong, right, wrong, right], 'failed'],
    ['twice', [right, wrong, right, wrong, right], 'suspected'],
    ['three times, and the last right one was before', [right, wrong, right, wrong, right, wrong], 'suspected'],
    ['as right ones are', [right, wrong, right, wrong, right, wrong, right, list(50, 500)], 'suspected'],
    ['for its credential', [right, ...[1, 2, 3].flatMap(() => [list('abc', 401), right])], 'suspected'],
    ['as documented', [right, ...[1, 2, 3].flatMap(() => [list('abc', 400), right])], 'kept'],
  ])('a max that is no integer is refused with another status: %s', (_, steps, verdict) => {
    expect(shownBy('users.list.integer-parameters', inTurn(steps), known)).toBe(verdict);
  });

  const login = (status: number, wrong?: string): Step => {
    return (more) =>
      answerTo('portal.login', status === 200 ? { sessionId: `s${more.sentAt}` } : {}, {
        ...more,
        status,
        intent: wrong ? 'unauthorised' : 'valid',
        ...(wrong && { wrong: { what: wrong } }),
        input: { query: { loginID: 'ada', password: 'x' } },
      });
  };
  test('a login with a password that is known to be wrong stands where it is accepted, and is a suspicion where it is refused otherwise', () => {
    const of = (status: number) =>
      shownBy('portal.login.wrong-password', inTurn([login(200), login(status, 'a wrong password')]), known);
    expect([of(200), of(404), of(400)]).toEqual(['failed', 'suspected', 'kept']);
  });
});
