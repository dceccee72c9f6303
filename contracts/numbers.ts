/**
 * The numbers by which a reading decides: tolerances, repetitions and times, which the documents leave open. Each says what it is of, in which unit, and
 * the reading that it belongs to; `explain ID` prints those of a requirement's readings.
 */

interface ReadingNumber {
  value: number;
  /** The unit; absent where it counts what the meaning says. */
  unit?: 'seconds' | 'milliseconds' | 'cents' | 'of the amount';
  /** What it decides, in words that follow its value. */
  meaning: string;
  reading: number;
}

/** How often and how long something is tried again. */
const repetitions = {
  refusedReading: { value: 12, meaning: 'repetitions of a reading that was refused once', reading: 7 },
  refusedLogin: { value: 3, meaning: 'repetitions of a login or token request that was refused once', reading: 7 },
  spacedReading: {
    value: 6,
    meaning:
      'repetitions, a settle time apart, where a limit of how soon the same is accepted again may explain the refusals',
    reading: 7,
  },
  conflicts: { value: 6, meaning: 'valid readings, all answered with 409, that accuse', reading: 7 },
  readingsInFlight: { value: 8, meaning: 'times that two readings are asked for at the same moment', reading: 10 },
  readingsInOrder: {
    value: 3,
    meaning: 'times that readings are asked again in their order, a settle time apart',
    reading: 10,
  },
  shownAgain: { value: 3, meaning: 'times that traffic shows what a run would try again', reading: 47 },
  contradictedLaws: { value: 3, meaning: 'contradictions of one requirement that are tried again', reading: 47 },
  furtherCards: {
    value: 3,
    meaning: 'further cards, at the most, that show a change to be no coincidence',
    reading: 47,
  },
  leastFurtherCards: { value: 2, meaning: 'such cards at the least', reading: 47 },
  refusedCards: { value: 6, meaning: 'further cards, at the most, that a refused operation is tried on', reading: 50 },
  checkedPerson: { value: 3, meaning: 'further checks of a person whose outcome changed, that accuse', reading: 38 },
} as const satisfies Record<string, ReadingNumber>;

/** What lags and changes by itself. */
const lags = {
  staying: {
    value: 3,
    meaning: 'unexpected readings, a settle time apart, that no lagging replica explains',
    reading: 49,
  },
  othersBetween: { value: 2, meaning: 'other readings, at the most, between these', reading: 49 },
  readOn: { value: 4, meaning: 'further readings of a value that was not expected', reading: 49 },
  watched: { value: 10, meaning: 'readings of balances that may change by themselves', reading: 49 },
  watchedCards: { value: 40, meaning: 'cards of the pools, at the most, that others may be changing', reading: 47 },
  watches: {
    value: 3,
    meaning: 'watches of them, at the most, where the run itself does the same meanwhile',
    reading: 47,
  },
  longestWatch: { value: 5000, unit: 'milliseconds', meaning: 'that they take, at the most', reading: 49 },
} as const satisfies Record<string, ReadingNumber>;

/** Times of tokens. */
const times = {
  expiresIn: { value: 5, unit: 'seconds', meaning: 'that expires_in may differ from 3600', reading: 14 },
  expiresOn: { value: 300, unit: 'seconds', meaning: 'that expires_on may differ from 3600 after issue', reading: 14 },
  clocks: {
    value: 2,
    unit: 'seconds',
    meaning: 'that two clocks differ by fractions and the way of an answer',
    reading: 14,
  },
  sameOffset: { value: 5, unit: 'seconds', meaning: 'that two offsets of the same clock may differ', reading: 14 },
  newToken: {
    value: 60_000,
    unit: 'milliseconds',
    meaning: 'in which a new token may be refused by a clock that is behind',
    reading: 14,
  },
  provisioned: {
    value: 300_000,
    unit: 'milliseconds',
    meaning: 'that provisionedDate may differ from the time of the request',
    reading: 26,
  },
} as const satisfies Record<string, ReadingNumber>;

/** Money. */
const money = {
  sameCents: { value: 0.01, unit: 'cents', meaning: 'that binary fractions make of equal balances', reading: 27 },
  roundedCents: {
    value: 0.5,
    unit: 'cents',
    meaning: 'that rounding may make between a balance and a record',
    reading: 10,
  },
  mostOfSmallFee: { value: 100, unit: 'cents', meaning: 'that a fee of a small amount is less than', reading: 27 },
  largestFeeShare: {
    value: 0.1,
    unit: 'of the amount',
    meaning: 'that a fee of a larger one is at the most',
    reading: 27,
  },
  feeStep: { value: 25, unit: 'cents', meaning: 'between the fees of similar amounts, at the most', reading: 27 },
  leastFee: {
    value: 2,
    unit: 'cents',
    meaning: 'that a fee is at the least where other transfers are free',
    reading: 27,
  },
  leastShare: {
    value: 3,
    unit: 'cents',
    meaning: 'of a fee, at the least, that show a share of the amount',
    reading: 27,
  },
  charges: { value: 3, meaning: 'costs that tell a fee from what is none', reading: 27 },
  disturbed: {
    value: 2,
    meaning: 'transfers of a card, at the most, in which others may have moved its money beside fees',
    reading: 47,
  },
  lateFees: { value: 300, unit: 'cents', meaning: 'of fees, at the most, that may be booked later', reading: 27 },
  leastLoss: {
    value: 50,
    unit: 'cents',
    meaning: 'missing that are no loss, since a fee may be as small',
    reading: 27,
  },
  losses: { value: 2, meaning: 'losses, of two amounts, that are no fees', reading: 27 },
  chargeOfRefusal: { value: 100, unit: 'cents', meaning: 'that a refused transfer may be charged with', reading: 10 },
  leastBalance: {
    value: 100,
    unit: 'cents',
    meaning: 'of a balance, at the least, of which the loss is no charge',
    reading: 10,
  },
} as const satisfies Record<string, ReadingNumber>;

const all = { ...repetitions, ...lags, ...times, ...money };

/** The values by name. */
export const numbers = Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value])) as {
  readonly [Name in keyof typeof all]: number;
};

/** A number in words, as `12 repetitions of a reading that was refused once`. */
export const numberInWords = ({ value, unit, meaning }: ReadingNumber): string =>
  [value, unit, meaning].filter((part) => part !== undefined).join(' ');

/** The numbers by which a reading decides. */
export const numbersOf = (reading: number): ReadingNumber[] =>
  Object.values<ReadingNumber>(all).filter((one) => one.reading === reading);
