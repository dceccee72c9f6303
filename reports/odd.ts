/** What a run noticed that is odd, and that nobody judges since the documents leave it open. */

import { operations } from '../contracts/operations.ts';
import type { Conformance, Observation } from '../contracts/record.ts';
import type { TargetHistory } from './history.ts';
import { type Recurring, type RefusalRate, recurring, refusalRates } from './recurring.ts';
import { dateInWords } from './text.ts';

/** Something worth a look. */
export interface Oddity {
  operation: string;
  noticed: string;
  /** What the documents leave open, so that it is no failure. */
  open: string;
  /** What showed it in each of several nights, in words. */
  nights?: readonly string[];
}

type Recorded = Pick<Conformance, 'observations' | 'run'>;
type Transition = NonNullable<Conformance['run']['cardStates']>['transitions'][number];

/** The only status that the documents name. */
const ACTIVE = 'Active';

const isReading = new Set(operations.filter(({ risk }) => risk === 'safe').map(({ id }) => id));

const isAccepted = ({ value }: Observation) => value.startsWith('accepted');

/** Observations that are odd, by operation, subject and what is odd about the value. */
const OBSERVED: readonly {
  operation: RegExp;
  subject: RegExp;
  isOdd: (observation: Observation) => boolean;
  open: string;
}[] = [
  {
    operation:
      /^cards\.(?:suspend|unsuspend|activate|setPin|markWalletProvisioned|createToken|encryptForVde|transfer)$/,
    subject: /^on a card that is (?:closed|lost|at its end|reported as fraud)$/,
    isOdd: isAccepted,
    open: 'which operations a card at its end, or with reported fraud, takes',
  },
  {
    operation: /^cards\.unmarkFraud$/,
    subject: /^status of the card afterwards$/,
    isOdd: ({ value }) => value !== ACTIVE && value !== 'not shown',
    open: 'the status of a card whose fraud is unmarked',
  },
  {
    operation: /^cards\.transfer$/,
    subject:
      /^a transfer of (?:zero|half a cent|a thousandth of the unit|more than the balance|a (?:negative amount|cent below zero))$/,
    isOdd: isAccepted,
    open: 'which amounts a transfer takes; money is neither made nor lost by it',
  },
  {
    operation: /^(?:users|cards)\.list$/,
    subject: /^an invented token$/,
    isOdd: (one) => one.value === 'ignored' || isAccepted(one),
    open: 'what an unknown continuationToken gives; a client that lost its place begins again unawares',
  },
  {
    operation: /^cards\.encryptForVde$/,
    subject: /^a nonce that was used$/,
    isOdd: isAccepted,
    open: 'whether a nonce counts once',
  },
  {
    operation: /^portal\.getCIPCheck$/,
    subject: /^a person born in a year to come$/,
    isOdd: isAccepted,
    open: 'which dates of birth a check takes',
  },
  {
    operation: /^portal\.login$/,
    subject: /^session of an earlier login of the user$/,
    isOdd: ({ value }) => value.startsWith('refused'),
    open: 'whether a login ends the earlier sessions of its user; somebody else who logs in does the same',
  },
  {
    operation: /^token\.issue$/,
    subject: /^token while another is valid$/,
    isOdd: ({ value }) => value === 'the same',
    open: 'whether each request gives a token of its own',
  },
];

/** What is worth a look: first what nights add up to, then the rest in the order of the operations. */
export function oddities(conformance: Recorded, history?: TargetHistory): Oddity[] {
  const { observations, run } = conformance;
  const observed = observations.flatMap((observation) => {
    const { operation, subject, value } = observation;
    const odd = OBSERVED.find(
      (one) => one.operation.test(operation) && one.subject.test(subject) && one.isOdd(observation),
    );
    return odd ? [{ operation, noticed: `${subject}: ${value}`, open: odd.open }] : [];
  });
  const found = [...observed, ...oneNumber(observations), ...oddTransitions(run.cardStates?.transitions ?? [])];
  return [
    ...(history ? [...recurring(history).map(suspectedAgain), ...refusalRates(history).map(refusedAtTimes)] : []),
    ...found.toSorted((a, b) => (a.operation < b.operation ? -1 : a.operation > b.operation ? 1 : 0)),
  ];
}

/** What several nights suspected, and none confirmed. */
const suspectedAgain = ({ requirement, check, of, nights }: Recurring): Oddity => ({
  operation: requirement.split('.').slice(0, 2).join('.'),
  noticed: `${requirement} (${check}) seemed to be broken in ${nights.length} of the last ${of} nights, and was not when it was tried again`,
  open: 'whether it is the target, or something that others do to it at times; what shows again fails',
  nights: nights.map(({ startedAt, shown }) => `${dateInWords(startedAt)}: ${shown.join('; ')}`),
});

/** What is right, and refused at times. */
const refusedAtTimes = ({ operation, asked, refused, nights, interval }: RefusalRate): Oddity => ({
  operation,
  noticed: `refused ${refused} of ${asked} right readings in quiet in ${nights} nights, and accepted them when they were repeated: ${percent(refused / asked)} % (95 % interval ${interval.map(percent).join(' to ')} %)`,
  open: 'how often a target may be unable to answer; a reading should be accepted each time',
});

/** A share of 1 in percent, of two digits. */
const percent = (share: number): string => String(Number((100 * share).toPrecision(2)));

/** getStatus that gives one number whatever the record says. */
function oneNumber(observations: readonly Observation[]): Oddity[] {
  const numbers = observations.filter(({ subject }) => subject.startsWith('the number of a card that is '));
  if (numbers.length < 2 || new Set(numbers.map(({ value }) => value)).size > 1) return [];
  const states = numbers.map(({ subject }) => subject.replace('the number of a card that is ', '')).join(', ');
  return [
    {
      operation: 'cards.getStatus',
      noticed: `answers ${numbers[0]!.value} for cards that are ${states}`,
      open: 'what the number of a status means',
    },
  ];
}

/** Changes of status that lead back from an end, or that a reading makes. */
function oddTransitions(transitions: readonly Transition[]): Oddity[] {
  const moves = transitions.filter(({ from, to }) => from !== to);
  const ends = new Set(
    moves.filter(({ operation }) => operation === 'cards.close' || operation === 'cards.markLost').map(({ to }) => to),
  );
  ends.delete(ACTIVE);
  const seen = (one: Transition, open: string): Oddity => ({
    operation: one.operation,
    noticed: `leads from ${one.from} to ${one.to}`,
    open,
  });
  return moves.flatMap((one) => {
    if (isReading.has(one.operation))
      return [seen(one, 'when a status changes by itself; another user may have changed it')];
    const isBack = one.to === ACTIVE && ends.has(one.from);
    return isBack ? [seen(one, 'whether anything leads back from lost or closed')] : [];
  });
}
