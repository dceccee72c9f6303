/**
 * The record of a run: the files of a report directory. Every report is a view of it.
 *
 * `conformance.json` is one {@link conformance}; `exchanges.ndjson` holds one {@link exchange} a line, in the order
 * in which the exchanges ended; `changes.ndjson` holds one {@link change} a line, in the order in which things happened.
 * Everything in them is redacted: no token, secret, password, session id, PIN or SSN appears in any of the files.
 */
import { z } from 'zod';

/**
 * The verdicts; of several checks of one requirement, the first in this list wins. `notApplicable`: what the
 * requirement presupposes never occurred, though requests that could bring it about were sent.
 */
export const VERDICTS = ['failed', 'blocked', 'inconclusive', 'skipped', 'passed', 'notApplicable'] as const;
export const verdict = z.enum(VERDICTS);
export type Verdict = z.infer<typeof verdict>;

export const LEVELS = ['must', 'should'] as const;
export const FAIL_ON = ['failures', 'regressions'] as const;
/**
 * When a run exits with 1: for any failure that is not known, or only if something that passed in the baseline no
 * longer does.
 */
export type FailOn = (typeof FAIL_ON)[number];

export const level = z.enum(LEVELS);
export type Level = z.infer<typeof level>;

export const RISKS = ['safe', 'reversible', 'irreversible'] as const;
export const risk = z.enum(RISKS);
/** What a request may change at the target; `safe` changes nothing. Ordered: each level includes those before it. */
export type Risk = z.infer<typeof risk>;

export const source = z.object({
  document: z.string().describe('Title of the document.'),
  section: z.string().describe('Heading of the section.'),
});
export type Source = z.infer<typeof source>;

/** The difference between expected and actual, as a failed check saw it. */
export const difference = z.object({
  expected: z.string().describe('What the documents promise, in words or as JSON text.'),
  actual: z.string().describe('What the target gave, redacted.'),
  pointer: z
    .string()
    .optional()
    .describe("JSON Pointer to the differing part of the answer's body, where there is one."),
});
export type Difference = z.infer<typeof difference>;

/** The check name that stands for all exchanges of a run, for requirements that they judge. */
export const EVERY_EXCHANGE = 'every exchange of the run';

/** How the message of an inconclusive check begins that found a contradiction which nobody tried again. */
export const SUSPECTED = 'suspected: ';

/** Why something was excluded from a run by choice. */
export const leftOut = z
  .enum(['scope', 'selection', 'shard'])
  .describe(
    "'scope': not claimed or not configured. 'selection': not chosen, as by --only. 'shard': of another shard.",
  );

/** How a failure was reproduced: what was suspected was tried again, alone, between controls. */
export const retrial = z.object({
  tries: z.int().describe('How often it was tried again.'),
  shown: z.int().describe('How often it showed the same.'),
  controls: z.int().describe('How many controls before, between and after it were accepted.'),
  control: z.string().optional().describe('Id of the exchange of the last control.'),
  exchanges: z.array(z.string()).describe('Ids of the exchanges of the tries and their controls, in order.'),
  once: z
    .array(z.string())
    .optional()
    .describe('Ids of those of one try that showed it, and of its control: what reproduces it.'),
});
export type Retrial = z.infer<typeof retrial>;

/** The result of one check. */
export const checkResult = z.object({
  name: z.string(),
  verdict,
  message: z.string().describe('Why, in one or two sentences; empty when passed.'),
  durationMs: z.number(),
  exchanges: z
    .array(z.string())
    .describe('Ids of exchanges in exchanges.ndjson, in the order in which they were made.'),
  difference: difference.optional(),
  shownBy: z
    .string()
    .optional()
    .describe('Id of the exchange that a failure is about, where it is about one: it shows it, or its effect does.'),
  retrial: retrial.optional(),
  further: z
    .array(
      z.object({
        message: z.string(),
        difference: difference.optional(),
        times: z.int().describe('How many exchanges show it.'),
        example: z.string().describe('Id of one of them.'),
      }),
    )
    .optional()
    .describe('What else contradicts the requirement, each way once: other members of the same bodies.'),
  leftOut: leftOut.optional(),
});
export type CheckResult = z.infer<typeof checkResult>;

/** The relation of a requirement to the list of known failures. */
export const knownFailure = z.object({
  reason: z.string(),
  link: z.string().optional(),
  expires: z.string().optional().describe('YYYY-MM-DD; past it the known failure counts as any failure.'),
  state: z
    .enum(['known', 'stale', 'expired'])
    .describe("'known': fails as known. 'stale': passes now. 'expired': past its date."),
});
export type KnownFailure = z.infer<typeof knownFailure>;

/** The result of one requirement, with its checks. */
export const requirementResult = z.object({
  id: z.string(),
  level,
  text: z.string(),
  inScope: z.boolean(),
  source,
  operations: z.array(z.string()),
  verdict,
  reason: z.string().describe('Why the verdict is what it is; for skipped: what to supply.'),
  known: knownFailure.nullable(),
  leftOut: leftOut.optional(),
  retrial: retrial.optional().describe('How its failure was reproduced, where it was.'),
  checks: z.array(checkResult),
});
export type RequirementResult = z.infer<typeof requirementResult>;

/** Requirements by verdict. `failed` does not count known failures. */
export const counts = z.object({
  passed: z.int(),
  failed: z.int(),
  knownFailed: z.int(),
  skipped: z.int(),
  inconclusive: z.int(),
  blocked: z.int(),
  notApplicable: z.int().default(0),
  outOfScope: z.int(),
});
export type Counts = z.infer<typeof counts>;

/** Behaviour of the target where the documents are silent. */
export const observation = z.object({
  id: z.string(),
  operation: z.string(),
  subject: z.string().describe('What was observed, in words.'),
  value: z
    .string()
    .describe('What the target did where the documents are silent; free of volatile values, so that two runs compare.'),
});
export type Observation = z.infer<typeof observation>;

/** Data of the target that the run used, and its origin. */
export const usedFixture = z.object({
  key: z.string(),
  origin: z.enum(['fixtures file', 'discovered']),
  detail: z.string(),
});
export type UsedFixture = z.infer<typeof usedFixture>;
/** Cards of a pool after the run. */
export const poolState = z.object({
  pool: z.string(),
  given: z.int(),
  spentBefore: z.int(),
  used: z.int(),
  left: z.int().describe('How many are in the state that the pool promises, as last read.'),
  runsLeft: z
    .int()
    .optional()
    .describe('For how many whole runs of risk irreversible they last; absent if a run restores them.'),
});

const cardReading = z.object({
  status: z.string().optional(),
  balance: z.number().optional().describe("In units of the card's currency."),
});

/** What a run did to the target: money, cards, orders and checks, and what of it was undone. */
export const account = z.object({
  cards: z
    .array(
      z.object({
        identifier: z.string(),
        pool: z.string().optional().describe('Absent for a card of no pool.'),
        before: cardReading.describe('As first read.'),
        after: cardReading.describe('As last read; what was not read since the last change is absent.'),
      }),
    )
    .describe('The cards that accepted requests named, and those that changed meanwhile.'),
  money: z.object({
    transfers: z.int().describe('How many were accepted, those that moved money back included.'),
    moved: z.number().describe('The sum of what they asked for, in units.'),
    missing: z
      .number()
      .describe('What balances read before and after transfers show to be missing over their cards, fees included.'),
  }),
  orders: z.int().describe('Accepted orders.'),
  cipChecks: z.int().describe('Accepted CIP checks.'),
  usedUp: z.array(z.string()).describe('Cards that were activated, closed, marked lost or freed of reported fraud.'),
  changes: z
    .array(
      z.object({
        operation: z.string(),
        accepted: z.int(),
        undone: z.int(),
        stays: z.int().describe('How many stay for good, since nothing undoes them.'),
        open: z.int().describe('How many could be undone and were not: a cleanup tries.'),
      }),
    )
    .describe('Accepted requests that change something, and those that no answer tells about.'),
});
export type Account = z.infer<typeof account>;

/** What seemed to contradict a requirement, and did not show again. */
export type Suspected = NonNullable<Conformance['run']['suspected']>[number];

/** Something that each run tries in some of its forms, and consecutive runs in all. */
export const rotated = z.object({
  subject: z.string().describe('What the forms are of.'),
  tried: z.array(z.string()).describe('The forms that this run tried.'),
  forms: z.int().describe('How many there are; --thorough tries all.'),
  suspected: z
    .array(
      z.object({
        form: z.string(),
        failed: z
          .array(z.string())
          .describe('Ids of the requirements that failed by it; none where what it seemed to show did not stand.'),
      }),
    )
    .optional()
    .describe('Those that showed, or seemed to show, a contradiction: later runs try them again.'),
  left: z.array(z.string()).optional().describe('Those that were due, and could not be tried after all.'),
  limitedBy: z.string().optional().describe('The setting whose limit is too small for --thorough to try all.'),
  pairs: z
    .object({
      of: z.int().describe('How many there are.'),
      now: z.int().describe('How many this run tried.'),
      soFar: z.int().describe('How many this run or one before it tried, as far as it knew these.'),
      nightsLeft: z.int().describe('In how many more runs like this one all will have been.'),
    })
    .optional()
    .describe(
      'Where the forms are combinations of several factors: the pairs of their levels, and what else is tried in combination, which few of the forms cover.',
    ),
});
export type Rotated = z.infer<typeof rotated>;

/**
 * Options of `npm start` with which another run on the same target reproduces the results. A closed list: they appear
 * in commands that people paste, and a record may come from somebody else.
 */
export const REPEATED_OPTIONS = [
  'risk',
  'confirm-host',
  'concurrency',
  'rate',
  'timeout-ms',
  'settle-ms',
  'max-orders',
  'max-cip-checks',
  'max-loss',
  'seed',
  'wait-for-expiry',
  'embedded',
  'env-file',
  'thorough',
  'matrix',
  'as',
] as const;

/** The record of a run: conformance.json. */
export const conformance = z.object({
  schemaVersion: z.literal(1),
  suite: z.object({ name: z.string(), version: z.string(), catalogueDigest: z.string() }),
  target: z.object({ name: z.string(), version: z.string(), embedded: z.boolean() }),
  run: z.object({
    startedAt: z.string(),
    finishedAt: z.string(),
    durationMs: z.number(),
    risk,
    seed: z.int(),
    selection: z.string().describe("'all', or what --only and --shard chose."),
    complete: z.boolean(),
    requests: z.int(),
    source: z
      .enum(['target', 'recording', 'proxy'])
      .optional()
      .describe("Where the exchanges come from: 'target', asked by this run; 'recording' and 'proxy', made by others."),
    options: z
      .record(z.string(), z.string())
      .optional()
      .describe('Options of npm start, by name, with which another run on the same target finds the same.'),
    knownFailures: z
      .array(
        z.object({ id: z.string(), reason: z.string(), link: z.string().optional(), expires: z.string().optional() }),
      )
      .optional()
      .describe('What RUN_KNOWN_FAILURES lists; id may be a pattern.'),
    failOn: z.enum(FAIL_ON).optional().describe('What RUN_FAIL_ON says: what makes the exit code 1.'),
    outOfReach: z
      .array(z.string())
      .optional()
      .describe('Why none of the configured interfaces could be tried; absent where one could.'),
    shards: z
      .array(z.record(z.string(), z.string()))
      .optional()
      .describe('Of a merged run the options of each shard, in order.'),
    interrupted: z.boolean().optional().describe('Whether a person or the system ended the run early.'),
    incompleteBecause: z.string().optional().describe('Why the run is not complete, empty when it is.'),
    operations: z
      .array(z.string())
      .optional()
      .describe('What TARGET_OPERATIONS claims, empty for all; - before one takes it out.'),
    absent: z
      .array(z.object({ operation: z.string(), status: z.int() }))
      .optional()
      .describe('Claimed operations that answered this status, 404 or 501, to every request with good credentials.'),
    fixtures: z.array(usedFixture).optional(),
    pools: z.array(poolState).optional(),
    account: account.optional(),
    settled: z
      .object({
        settleMs: z.number(),
        effects: z.int().describe('Number of effects that were read back and showed.'),
        slowestMs: z.number().describe('How long the slowest of them took.'),
        waitedMs: z.number().describe('During how much of the run somebody waited for effects.'),
      })
      .optional()
      .describe('How soon effects showed, in milliseconds; RUN_SETTLE_MS is how long they are waited for.'),
    seen: z
      .array(
        z.object({
          operation: z.string(),
          statuses: z.record(z.string(), z.int()).describe('How often each status was answered.'),
          membersNeverSeen: z
            .array(z.string())
            .describe('Documented members, as paths, that no body of a success carried.'),
        }),
      )
      .optional()
      .describe('The operations that were called, and what was seen of them.'),
    cardStates: z
      .object({
        states: z.array(z.string()),
        transitions: z.array(z.object({ operation: z.string(), from: z.string(), to: z.string() })),
      })
      .optional()
      .describe('Statuses of cards that were read, and what an accepted operation was seen to make of one.'),
    rotated: z.array(rotated).optional().describe('What this run tried of the forms of which each run tries some.'),
    plainlyFailed: z
      .array(z.string())
      .optional()
      .describe('Ids of the requirements that failed by what every run sends, and not by what rotates alone.'),
    asBaseline: z
      .object({
        startedAt: z.string().describe('When the baseline began.'),
        verdicts: z.array(z.object({ requirement: z.string(), verdict })),
      })
      .optional()
      .describe(
        'What musts that passed in the baseline and failed by forms that it did not try showed in the forms that it did try, before the run ended.',
      ),
    suspected: z
      .array(
        z.object({
          requirement: z.string(),
          check: z.string().describe('The name of the check that suspected it.'),
          exchanges: z.array(z.string()).describe('Ids of the exchanges that seemed to show it.'),
        }),
      )
      .optional()
      .describe(
        'What seemed to contradict a requirement that did not fail: it did not show again. Nights add that up.',
      ),
    readings: z
      .array(
        z.object({
          operation: z.string(),
          asked: z.int().describe('How many were accepted, at once or when they were repeated.'),
          refused: z.int().describe('How many of these were refused at first.'),
        }),
      )
      .optional()
      .describe('Readings that nothing was wrong with, made while the target had no bad credential to remember.'),
    notes: z.array(z.string()).optional().describe('Notes for the reader, e.g. throttling by the target.'),
  }),
  summary: z.object({
    verdict: z.enum(['conformant', 'nonconformant', 'incomplete']),
    partial: z.boolean(),
    must: counts,
    should: counts,
  }),
  requirements: z.array(requirementResult),
  excluded: z.array(z.object({ id: z.string(), text: z.string(), reason: z.string(), source })),
  observations: z.array(observation),
});
export type Conformance = z.infer<typeof conformance>;

const headers = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** One line of exchanges.ndjson: a request, its answer, and the findings. Redacted. */
export const exchange = z.object({
  id: z.string().describe('x00001, x00002, ... in the order in which the requests were sent.'),
  operation: z.string(),
  check: z
    .string()
    .describe("The check that made it: requirement id and name of the check; 'run' for what the run itself needed."),
  intent: z.string().describe('What the request is: valid, or wrong on purpose and how.'),
  wrong: z
    .object({
      what: z.string(),
      isFiltered: z.boolean().optional(),
      hasExpired: z.boolean().optional(),
    })
    .optional()
    .describe(
      'What is wrong with it on purpose; isFiltered: a firewall may refuse it, too; hasExpired: its token has.',
    ),
  credential: z
    .string()
    .optional()
    .describe('Which session or access token it was sent with: a number in place of the value, which is secret.'),
  gives: z.string().optional().describe('Which session or access token the answer gives, numbered likewise.'),
  startedAt: z.string(),
  sentAt: z
    .number()
    .optional()
    .describe(
      'The same time in milliseconds since the epoch, with fractions, by which answers are told before and after.',
    ),
  durationMs: z
    .number()
    .describe('From sending to the last byte of the answer, in milliseconds, retries and waiting excluded.'),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers,
    body: z.string().nullable().describe('Text of the body as sent, redacted; null for no body.'),
  }),
  response: z
    .object({
      status: z.int(),
      headers,
      body: z
        .string()
        .nullable()
        .describe('Text of the body, redacted, cut after some kilobytes; null for zero bytes.'),
      bodyBytes: z.int().describe('Bytes of the body after decoding.'),
      truncated: z.boolean(),
    })
    .nullable(),
  error: z.object({ kind: z.string(), message: z.string() }).optional().describe('Set when no whole answer came.'),
  retries: z
    .array(z.object({ status: z.int().nullable(), waitedMs: z.number() }))
    .optional()
    .describe('Answers before the last one that were retried.'),
  /** Violations of the operation's contract. */
  findings: z
    .array(z.object({ requirement: z.string(), message: z.string(), difference: difference.optional() }))
    .optional(),
});
export type Exchange = z.infer<typeof exchange>;

/** One line of changes.ndjson. */
export const change = z.object({
  id: z.string().describe('c00001, ...; the lines of one change share it.'),
  at: z.string(),
  event: z
    .enum(['sending', 'answered', 'undone', 'lasting'])
    .describe(
      "'sending' before the request is sent; 'answered' after it; 'undone' when its effect was taken back; 'lasting' when nothing takes it back.",
    ),
  operation: z.string(),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Path parameters and the members of the body that undoing needs, redacted.'),
  exchange: z.string().optional().describe('The exchange that answered or that undid it.'),
  status: z.int().nullable().optional(),
  undo: z
    .object({ operation: z.string(), input: z.record(z.string(), z.unknown()) })
    .optional()
    .describe("On 'sending' of a reversible change: what takes it back."),
  balances: z
    .array(z.object({ identifier: z.string(), balance: z.number() }))
    .optional()
    .describe(
      "On 'sending' of a transfer: balances of the cards that its holder leased, as they were then: what undoing restores.",
    ),
  check: z.string().optional(),
});
export type Change = z.infer<typeof change>;
