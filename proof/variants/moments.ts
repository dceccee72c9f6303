/**
 * Sound implementations at a moment of a run: somebody else changes a card or the clock, a server is down, or a limit was reached by earlier runs
 * (how an accusation is earned). What shows once, and no more, accuses nobody.
 */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { Rules, SandboxOptions, World } from '../../sandbox/index.ts';
import { answering, bodyIn, memory, reading, refusing } from '../changed-sandbox.ts';
import { ownRule } from './portal-rule.ts';
import { cardOf } from './v3-rule.ts';
import { type Variant, variant } from './variant.ts';

const OTHERS = 'Access: others may use the same cards and users';

/** Whether something happens for the first time in a world. */
function firstTime(): (world: World) => boolean {
  const happened = memory(() => ({ isDone: false }));
  return (world) => {
    const state = happened(world);
    const isFirst = !state.isDone;
    state.isDone = true;
    return isFirst;
  };
}

/** What a person is recognised by. */
const nameIn = ({ firstName, lastName }: Record<string, unknown>): string => `${firstName} ${lastName}`;

/** How often a person was checked before, this time included. */
function checks(): (world: World, person: string) => number {
  const counts = memory(() => new Map<string, number>());
  return (world, person) => {
    const count = (counts(world).get(person) ?? 0) + 1;
    counts(world).set(person, count);
    return count;
  };
}

/** The second check of the first person that is checked again has another outcome; further ones are refused, if they are limited. */
function otherOutcomeOnce({ isLimited = false } = {}): SandboxOptions {
  const [count, isFirst, asked] = [checks(), firstTime(), checks()];
  const isRefused = (request: SandboxRequest, world: World) =>
    request.operation === 'portal.getCIPCheck' && isLimited && asked(world, nameIn(bodyIn(request))) > 2;
  const rules = refusing({ kind: 'range', name: 'checks of a person' }, isRefused);
  const filter = answering('portal.getCIPCheck', (body, { request, world, refusal }) => {
    if (refusal || count(world, nameIn(bodyIn(request))) !== 2 || !isFirst(world)) return;
    Object.assign(body.data as object, { summaryResult: 'Fail', diffQuestionList: null, questionList: null });
  });
  return { rules, ...filter };
}

/** The persons of the fixtures file. */
const KNOWN = /Located|Unseen|Several/;

/** Persons of whom earlier runs asked too often. */
const askedBefore: Partial<Rules> = refusing(
  { kind: 'range', name: 'checks of a person' },
  (request) => request.operation === 'portal.getCIPCheck' && KNOWN.test(nameIn(bodyIn(request))),
);

/** Money that comes and goes by itself: each reading of a balance finds another one. */
const moving = (cents: number): Partial<Rules> => {
  const signIn = memory(() => ({ of: 1 }));
  return reading('cards.getBalance', (request, world) => {
    const card = cardOf(request, world);
    if (card?.tenant !== 'own') return;
    const sign = signIn(world);
    sign.of = -sign.of;
    card.balanceCents += cents * sign.of;
  });
};

/** The first check is answered while the server is down, with an outcome that it remembers. */
function downOnce(): SandboxOptions {
  const isFirst = firstTime();
  return answering('portal.getCIPCheck', (body, { refusal, world }) => {
    if (!refusal && isFirst(world)) body.returnCode = 0;
  });
}

/** Somebody else suspends a card before it is first given to a wallet. */
function suspendedByOthers(): Partial<Rules> {
  const isFirst = firstTime();
  return {
    meanwhile(world, { operation, params }) {
      const card = world.cardById.get(params.identifier ?? '');
      if (operation === 'cards.markWalletProvisioned' && card?.state === 'active' && isFirst(world))
        card.state = card.record.state = 'suspended';
    },
    allowsFrom: (operation, { state }, byDefault) =>
      byDefault && !(operation === 'cards.markWalletProvisioned' && state === 'suspended'),
  };
}

/** Others ask for customers, too: from the first one that is asked for on no more are shown today. */
function usedUpByOthers(): Partial<Rules> {
  const seenIn = memory(() => ({ isBegun: false }));
  return ownRule(({ operation }, world) => {
    const seen = seenIn(world);
    seen.isBegun ||= operation === 'users.get';
    return seen.isBegun && operation.startsWith('users.');
  }, 403);
}

/** Of listings with a max of 1, the fifth alone is given, since somebody else asks for them, too. */
function sharedWithOthers(): Partial<Rules> {
  const askedIn = memory(() => ({ times: 0 }));
  return ownRule(
    ({ operation, query }, world) => operation === 'users.list' && query.max === '1' && ++askedIn(world).times !== 5,
    403,
  );
}

export const momentVariants: readonly Variant[] = [
  variant('CIP: a person who is checked again has another outcome once', OTHERS, otherOutcomeOnce()),
  variant(
    'CIP: a person who is checked again has another outcome once, and is checked no more',
    OTHERS,
    otherOutcomeOnce({ isLimited: true }),
  ),
  variant('CIP: earlier runs asked too often for the persons of the fixtures file', OTHERS, { rules: askedBefore }),
  variant('CIP: the server is down at the first check', 'returnCode: 0 if the server is down', downOnce()),
  variant('money: each reading of a balance finds 3 cents more or fewer', OTHERS, { rules: moving(3) }),
  variant(
    'others use up what customers are shown in a day',
    OTHERS,
    { rules: usedUpByOthers() },
    {
      run: { only: ['users.get.required-only'] },
    },
  ),
  variant(
    'others ask for listings of one customer, of which few are given',
    OTHERS,
    { rules: sharedWithOthers() },
    {
      run: { only: ['users.list.max-accepted'] },
    },
  ),
  variant('somebody else suspends a card before it is given to a wallet', OTHERS, { rules: suspendedByOthers() }),
];
