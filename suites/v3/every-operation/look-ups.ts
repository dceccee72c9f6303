/** Look-ups by what names nothing, by identifier, temporary token or proxy: each is refused (reading 11). */
import { type Input, member, type Wrong } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import type { Rotation } from '../../../helpers/rotation.ts';
import { optional } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { givenToken, isText, sameText } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import { readings } from '../cards/scenarios/reading.ts';

/** What a look-up finds a thing by. */
interface Name {
  /** In words: `a proxy`. */
  what: string;
  kind: Forms.Kind;
  /** Undefined where none is known. */
  known: string | undefined;
  /** Whether they may be numbered: those seen are alike but for the digits at their end, or there is one alone. */
  mayBeNumbered?: boolean;
  query?: Input['query'];
}

/** A request that names nothing, in words and as it is sent. */
interface Nameless {
  name: string;
  input: Input;
  /** Whether it may name another thing, which is numbered likewise or has a part of a known name. */
  mayBeAnothers: boolean;
  /** What is wrong with it, for the monitor of what names nothing. */
  wrong?: Wrong | undefined;
}

/** What stands before the digits at the end of a name. */
const beforeNumber = (name: string): string => name.replace(/\d+$/, '');

const named = ({ what, kind, known, mayBeNumbered, query }: Name, how: string, identifier: string): Nameless => ({
  name: `${what} ${how}`,
  input: { path: { identifier }, ...(query && { query }) },
  mayBeAnothers:
    known !== undefined &&
    (Forms.isNeighbour(identifier, known) ||
      (kind === 'proxy' && known.includes(identifier)) ||
      (mayBeNumbered === true && beforeNumber(identifier) === beforeNumber(known))),
});

/** Declares that what names nothing is refused. A run tries some of the rows, which rotate under the subject, and the first that each run tries. */
const refuses = (
  requirement: string,
  name: string,
  subject: string,
  rowsOf: (t: Context) => Promise<Record<'always' | 'rotated', Nameless[]>>,
  how: Rotation<Nameless> = {},
) =>
  check(requirement, name, async (t) => {
    const operation = requirement.slice(0, requirement.lastIndexOf('.'));
    const { always, rotated } = await rowsOf(t);
    for (const row of [...always, ...t.rotated(`${operation}: ${subject}`, rotated, how)]) {
      const answer = await t.call(operation, row.input, { intent: 'unknown', wrong: row.wrong });
      // A card of that proxy shows it, if it shows any; which token found a card none shows.
      const shown = row.input.query?.byProxy === true ? member(answer, 'proxyNumber') : undefined;
      const isOfThat = !isText(shown) || sameText(shown, row.input.path!.identifier!);
      if (!row.mayBeAnothers || !isOfThat) expectRefused(answer, row.name);
    }
  });

/** Requests with a blank before or behind a name. */
const padded = (...names: readonly Name[]) => ({
  always: [],
  rotated: names.flatMap((one) =>
    one.known === undefined ? [] : Forms.takenBy('trimming', one.known).map(({ name, text }) => named(one, name, text)),
  ),
});

/** Requests with an invented name, one of odd characters, and what resembles a known one. */
function resembling(t: Context, one: Name) {
  const known = one.known ?? '0';
  const nobodys = (request: Nameless): Nameless => ({
    ...request,
    mayBeAnothers: false,
    wrong: { what: request.name },
  });
  const likes = one.known === undefined ? [] : Forms.lookAlikes(t, one.kind, one.known);
  return {
    always: [
      named(one, 'that is invented', Forms.invented(known)),
      named(one, 'of odd characters', Forms.ODD_IN_PATH),
    ].map(nobodys),
    rotated: likes
      .map(({ name, text }) => named(one, name, text))
      .map((row) => (row.mayBeAnothers ? row : nobodys(row))),
  };
}

const byIdentifier = (known: string): Name => ({ what: 'an identifier', kind: 'identifier', known });
const byProxy = ({ fixtures }: Context): Name => {
  const { proxyNumber, programIdentifier = 'no-such-program', isDigital = false } = fixtures.cards?.byProxy ?? {};
  return {
    what: 'a proxy',
    kind: 'proxy',
    known: proxyNumber,
    query: { byProxy: true, programIdentifier, isDigital },
  };
};

const readTokens = readings.reads('cards.get.unknown-identifier', 'cards.createToken');
async function byToken(t: Context): Promise<Name> {
  const read = await optional(readTokens(t));
  const made = read?.['cards.createToken'].value ?? [];
  const tokens = made.flatMap(({ answer }) => givenToken(answer) ?? []);
  const [known] = tokens;
  const different = new Set(tokens).size;
  const mayBeNumbered = different < 2 || new Set(tokens.map(beforeNumber)).size < different;
  return { what: 'a temporary token', kind: 'temporaryToken', known, mayBeNumbered, query: { byToken: true } };
}

refuses('users.get.padded-identifier', 'a blank before or behind it', 'blanks', async (t) =>
  padded(byIdentifier(await Requests.aCustomer(t))),
);

refuses('cards.get.padded-identifier', 'a blank before or behind it', 'blanks', async (t) =>
  padded(byIdentifier(await t.shared(Requests.aCard)), byProxy(t)),
);

refuses('cards.get.unknown-identifier', 'as a temporary token', 'unknown temporary tokens', async (t) =>
  resembling(t, await byToken(t)),
);

refuses('cards.get.unknown-identifier', 'as a proxy', 'unknown proxies', async (t) => resembling(t, byProxy(t)), {
  amply: 3,
});
