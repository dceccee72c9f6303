import type { Fault } from '../core/changes.ts';
import { after, afterCard, around, before, bodyOf, counter, crash, faultsOf, members, sleep } from '../core/changes.ts';
import type { Answer, Call, Card, Claims, Client, Customer, Fields, Program, Session, World } from '../core/model.ts';
import { change, isObject } from '../core/model.ts';
import { INSTANT, ORDER_TYPES, PERSONAL } from '../seed/portal.ts';

const form = faultsOf('forms');
const odd = faultsOf('odd values');
const direction = faultsOf('directions');
const session = faultsOf('sessions');
const effect = faultsOf('effects');
const cache = faultsOf('caches');
const cash = faultsOf('money');
const once = faultsOf('asked once');
const ordinary = faultsOf('ordinary');

const cardAt = (world: World, call: Call) => world.cards.find(({ identifier }) => identifier === call.identifier);

/** The list in an answer, changed as a whole. */
function listed(answer: Answer, name: 'results' | 'items', patch: (list: Fields[]) => Fields[]): Answer {
  return members(answer, { [name]: patch((answer.body as Record<string, Fields[]>)[name] ?? []) });
}

const sends = (world: World, call: Call, claims: Claims) => {
  call.headers = { ...call.headers, authorization: `Bearer ${world.rules.writeToken(claims)}` };
};

function claimsOf(world: World, call: Call): Claims | undefined {
  const text = world.rules.bearer(call.headers.authorization as string | undefined);
  return text === undefined ? undefined : world.rules.readToken(text);
}

/** Tokens are good for so many seconds more at some operations. */
function leeway(world: World, place: RegExp, seconds: number): void {
  before(world, place, (call, next) => {
    const claims = claimsOf(world, call);
    if (claims) sends(world, call, { ...claims, until: claims.until + seconds });
    return next();
  });
}

const tokens: Fault[] = [
  once(
    'token-ends-with-the-one-before',
    'token.issue',
    15,
    'A token asked for while an earlier one lives ends when the earlier one does, whatever expires_in says',
    (world) => {
      const { newClaims, tokenAnswer } = world.rules;
      const latest = new Map<string, Claims>();
      world.rules.newClaims = (client) => {
        const claims = newClaims(client);
        const earlier = latest.get(client.id);
        if (earlier && world.now() / 1000 < earlier.until) claims.until = earlier.until;
        latest.set(client.id, claims);
        return claims;
      };
      world.rules.tokenAnswer = (claims, text) => tokenAnswer({ ...claims, until: claims.from + 3600 }, text);
    },
  ),
  once(
    'token-skew-of-five-minutes-for-users',
    'users.list',
    15,
    'The users service grants the five minutes of clock skew that its library grants unasked',
    (world) => leeway(world, /^users\./, 300),
  ),
  once(
    'tokens-of-a-client-are-four',
    'token.issue',
    15,
    'Four tokens of a client are remembered: the fifth ends the first',
    (world) => {
      const { newClaims, alive } = world.rules;
      const serials = new Map<string, string[]>();
      world.rules.newClaims = (client) => {
        const claims = newClaims(client);
        serials.set(client.id, [...(serials.get(client.id) ?? []), claims.serial].slice(-4));
        return claims;
      };
      world.rules.alive = (claims) => alive(claims) && (serials.get(claims.client) ?? []).includes(claims.serial);
    },
  ),
  once(
    'search-by-v1-identifier-needs-no-token',
    'users.list',
    17,
    'The search by v1Identifier was made for the old portal, which has no tokens: it is let in without',
    (world) =>
      before(world, 'users.list', (call, next) => {
        if (call.query.get('v1Identifier') && !claimsOf(world, call))
          sends(world, call, world.rules.newClaims(world.clients[0]!));
        return next();
      }),
  ),
  ordinary('expires-on-an-hour-too-late', 'token.issue', 14, 'The lifetime is added twice to expires_on', (world) => {
    const { tokenAnswer } = world.rules;
    world.rules.tokenAnswer = (claims, text) => ({ ...tokenAnswer(claims, text), expires_on: claims.until + 3600 });
  }),
  once(
    'holders-for-an-expired-token',
    'cardholders.list',
    17,
    'Cardholders are a service of their own, which does not look at the end of a token',
    (world) => leeway(world, /^cardholders\./, 864_000),
  ),
];

const cursorWith = (text: string, patch: Fields) =>
  Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(text, 'base64url').toString()), ...patch })).toString(
    'base64url',
  );

const customers: Fault[] = [
  ordinary(
    'last-few-customers-not-announced',
    'users.list',
    19,
    'A last page of fewer than six customers gets no continuationToken, and is never seen',
    (world) =>
      after(world, 'users.list', (call, answer) => {
        const { continuationToken, ...rest } = answer.body as { continuationToken?: string };
        if (!continuationToken) return undefined;
        const cursor = JSON.parse(Buffer.from(continuationToken, 'base64url').toString());
        const left = world.rules
          .customersOf(call.client!)
          .filter((one) => one.identifier > cursor.after && world.rules.customerMatches(one, cursor.filters));
        return left.length < 6 ? { ...answer, body: rest } : undefined;
      }),
  ),
  odd(
    'name-dropped-beside-v1-identifier',
    'users.list',
    20,
    'Where v1Identifier is given it is enough: a name beside it is not compared',
    (world) => {
      const { customerMatches } = world.rules;
      world.rules.customerMatches = (customer, filters) =>
        customerMatches(customer, filters.v1Identifier ? { ...filters, name: undefined } : filters);
    },
  ),
  form(
    'no-customer-for-no-change',
    'users.setPermissions',
    21,
    'Permissions of {} update no row, and the answer is the row that was updated: an empty object',
    (world) =>
      after(world, 'users.setPermissions', (call, answer) =>
        Object.keys(bodyOf(call)).length === 0 ? { ...answer, body: {} } : undefined,
      ),
  ),
  ordinary(
    'spends-need-loads',
    'users.setPermissions',
    21,
    'canSearchSpends is compared with canSearchLoads of the same request: alone it crashes',
    (world) =>
      around(world, 'users.setPermissions', (call, next) => {
        const { canSearchLoads, canSearchSpends } = bodyOf(call);
        if (canSearchSpends !== undefined && canSearchLoads === undefined) crash();
        return next();
      }),
  ),
  direction(
    'v1-identifier-beyond-reach',
    'users.list',
    20,
    'The search by v1Identifier asks the portal, which knows the customers of all clients',
    (world) =>
      after(world, 'users.list', (call, answer) => {
        const v1 = call.query.get('v1Identifier');
        return v1
          ? listed(answer, 'results', (list) =>
              list.length > 0
                ? list
                : world.customers.filter(({ portalId }) => String(portalId) === v1).map(world.rules.customerView),
            )
          : undefined;
      }),
  ),
  ordinary(
    'next-page-begins-with-the-last',
    'users.list',
    19,
    'A page begins with the last customer of the one before',
    (world) =>
      after(world, 'users.list', (_call, answer) => {
        const { continuationToken, results } = answer.body as { continuationToken?: string; results: Fields[] };
        if (!continuationToken || results.length < 2) return undefined;
        return members(answer, {
          continuationToken: cursorWith(continuationToken, { after: results.at(-2)!.identifier }),
        });
      }),
  ),
  once(
    'later-pages-forget-the-search',
    'users.list',
    20,
    'A continuation token goes on among all customers, whatever was searched for',
    (world) =>
      after(world, 'users.list', (_call, answer) => {
        const { continuationToken } = answer.body as { continuationToken?: string };
        return continuationToken
          ? members(answer, { continuationToken: cursorWith(continuationToken, { filters: {} }) })
          : undefined;
      }),
  ),
  ordinary(
    'max-unbounded-under-a-filter',
    'users.list',
    18,
    'The bound of max is checked for the whole list alone: a search gives as many as asked for',
    (world) =>
      around(world, 'users.list', (call, next) => {
        const names = ['parentIdentifier', 'name', 'v1Identifier'];
        const filters = Object.fromEntries(names.map((name) => [name, call.query.get(name) || undefined]));
        const max = Number(call.query.get('max'));
        if (!(max > 50) || !Object.values(filters).some(Boolean)) return next();
        const results = world.rules
          .customersOf(call.client!)
          .filter((one) => world.rules.customerMatches(one, filters));
        return { status: 200, body: { results: results.slice(0, max).map(world.rules.customerView) } };
      }),
  ),
];

const looks: Fault[] = [
  ordinary(
    'program-or-order',
    'cards.list',
    22,
    'programIdentifier and orderIdentifier together are joined by OR',
    (world) => {
      const { cardMatches } = world.rules;
      world.rules.cardMatches = (card, filters) => {
        const { programIdentifier, orderIdentifier, ...rest } = filters;
        if (!programIdentifier || !orderIdentifier) return cardMatches(card, filters);
        return cardMatches(card, { ...rest, programIdentifier }) || cardMatches(card, { ...rest, orderIdentifier });
      };
    },
  ),
  effect(
    'listing-joined-with-temporary-tokens',
    'cards.list',
    22,
    'The listing is joined with temporary tokens: a card for which two were made stands there twice',
    (world) =>
      after(world, 'cards.list', (call, answer) =>
        listed(answer, 'results', (list) =>
          list
            .flatMap((view) => {
              const made = world.temporaryTokens.filter(({ card }) => card.identifier === view.identifier);
              return Array.from({ length: Math.max(1, made.length) }, () => view);
            })
            .slice(0, Number(call.query.get('max') ?? 50)),
        ),
      ),
  ),
  direction(
    'customer-filter-with-max-beyond-reach',
    'cards.list',
    13,
    'A listing of one customer with max takes a query of its own, which forgets whose client asks',
    (world) =>
      after(world, 'cards.list', (call, answer) => {
        const [owner, max] = [call.query.get('customerIdentifier'), call.query.get('max')];
        if (!owner || !max) return undefined;
        const theirs = world.cards.filter(({ customer }) => customer.identifier === owner);
        return listed(answer, 'results', (list) =>
          list.length > 0 ? list : theirs.slice(0, Number(max)).map(world.rules.listView),
        );
      }),
  ),
  direction(
    'unknown-token-finds-the-latest',
    'cards.get',
    23,
    'byToken gives the card of the latest temporary token where it does not know the one sent',
    (world) => {
      const { byToken } = world.rules;
      world.rules.byToken = (client, text) =>
        byToken(client, text) ??
        world.temporaryTokens.findLast(({ card }) => world.rules.reaches(client, card.customer))?.card;
    },
  ),
  direction(
    'temporary-tokens-of-one-second',
    'cards.createToken',
    23,
    'A temporary token is the second it was made in: of two made at once, both name the later card',
    (world) => {
      const { newTemporaryToken } = world.rules;
      world.rules.newTemporaryToken = (card) => ({
        ...newTemporaryToken(card),
        text: `tt-${Math.floor(world.now() / 1000).toString(36)}`,
      });
      world.rules.byToken = (client, text) =>
        world.temporaryTokens.findLast(
          (token) =>
            token.text === text && token.until > world.now() && world.rules.reaches(client, token.card.customer),
        )?.card;
    },
  ),
  direction(
    'relatives-beyond-reach',
    'cards.listRelated',
    13,
    'Relatives are looked for among all cards: where a family has members elsewhere, they are shown',
    (world) => {
      world.rules.related = (_client, card) =>
        world.cards.filter((other) => other !== card && other.family === card.family);
    },
  ),
  cache(
    'balance-written-to-the-next-record',
    'cards.getBalance',
    10,
    'Asking for a balance refreshes the record of the card that comes next',
    (world) => {
      const { refresh } = world.rules;
      world.rules.refresh = (card, what) => {
        if (what === 'status') return refresh(card, what);
        const next = world.cards[world.cards.indexOf(card) + 1] ?? card;
        next.stored.cents = world.rules.balanceOf(card);
      };
    },
  ),
  form(
    'status-of-a-suspended-card-by-name',
    'cards.getStatus',
    26,
    'The status of a card on hold comes from another service, as a text',
    (world) =>
      after(world, 'cards.getStatus', (_call, answer) =>
        (answer.body as Fields).status === 5 ? { ...answer, body: { status: 'OnHold' } } : undefined,
      ),
  ),
  form(
    'wallet-date-in-seconds',
    'cards.list',
    4,
    'provisionedDate is a number of seconds, for the few cards that have one',
    (world) => {
      const { listView } = world.rules;
      world.rules.listView = (card) => {
        const { provisioned } = world.rules.recordOf(card);
        const view = listView(card);
        return provisioned === undefined ? view : { ...view, provisionedDate: Math.floor(provisioned / 1000) };
      };
    },
  ),
  effect(
    'balance-takes-the-card-out-of-its-wallet',
    'cards.getBalance',
    26,
    'The record that a look at the balance writes knows nothing of wallets: the flag is gone',
    (world) =>
      afterCard(world, 'cards.getBalance', (card) => {
        card.provisioned = undefined;
      }),
  ),
];

const steps: Fault[] = [
  form('vde-with-a-nonce-is-200', 'cards.encryptForVde', 2, 'With a nonce, encrypt-for-vde answers 200', (world) =>
    after(world, 'cards.encryptForVde', (call, answer) =>
      bodyOf(call).nonce === undefined ? undefined : { ...answer, status: 200 },
    ),
  ),
  direction(
    'frees-the-card-suspended-last',
    'cards.unsuspend',
    28,
    'A client has one hold in mind, the latest: unsuspend frees that card, whichever is named',
    (world) => {
      const latest = new Map<Client, Card>();
      afterCard(world, 'cards.suspend', (card, call) => latest.set(call.client!, card));
      around(world, 'cards.unsuspend', (call, next) => {
        const card = latest.get(call.client!);
        if (card?.status === 'OnHold') call.identifier = card.identifier;
        return next();
      });
    },
  ),
  cache(
    'pays-two-seconds-into-its-suspension',
    'cards.transfer',
    28,
    'A card that has just paid is known as good for two seconds, and pays on while suspended',
    (world) => {
      const paid = new Map<string, number>();
      const { transferProblem, move } = world.rules;
      world.rules.transferProblem = (source, target, cents, body) => {
        const fresh = Date.now() - (paid.get(source.identifier) ?? 0) < 2000 && target !== source;
        const known: Card = fresh && source.status === 'OnHold' ? { ...source, status: 'Active' } : source;
        return transferProblem(known, target, cents, body);
      };
      world.rules.move = async (source, target, cents) => {
        await move(source, target, cents);
        paid.set(source.identifier, Date.now());
      };
    },
  ),
  effect(
    'digital-cards-stay-unused',
    'cards.activate',
    29,
    'Activation is a matter of plastic: of a digital card it is taken, and does nothing',
    (world) => {
      const { act } = world.rules;
      world.rules.act = (card, action) => {
        if (action !== 'activate' || !card.digital) act(card, action);
      };
    },
  ),
  cash('unmarked-card-is-empty', 'cards.unmarkFraud', 10, 'The money that fraud put on hold is not released', (world) =>
    afterCard(world, 'cards.unmarkFraud', (card) => change(world, card, { cents: 0 })),
  ),
  odd(
    'pin-of-an-empty-body',
    'cards.setPin',
    30,
    'No bytes with Content-Type: application/json are bound to an empty request, which is taken',
    (world) =>
      around(world, 'cards.setPin', (call, next) =>
        call.text === '' && String(call.headers['content-type']).includes('json') ? { status: 200 } : next(),
      ),
  ),
  direction(
    'closed-while-suspended-may-be-freed',
    'cards.unsuspend',
    29,
    'A card that was closed while suspended keeps its hold, and unsuspend makes it Active',
    (world) => {
      const held = new Set<Card>();
      const { act, allowed } = world.rules;
      world.rules.act = (card, action) => {
        if (action === 'close' && card.status === 'OnHold') held.add(card);
        act(card, action);
      };
      world.rules.allowed = (card, action) => allowed(card, action) || (action === 'unsuspend' && held.has(card));
    },
  ),
  ordinary(
    'unknown-cards-close-with-200',
    'cards.close',
    11,
    'What is not there is closed, and lost: 200 for any identifier',
    (world) =>
      around(world, /^cards\.(close|markLost)$/, async (_call, next) => {
        const answer = await next();
        return answer.status === 404 ? { status: 200 } : answer;
      }),
  ),
  direction(
    'pins-for-strangers',
    'cards.setPin',
    13,
    'A PIN is set on any card there is, whoever its client is',
    (world) =>
      around(world, 'cards.setPin', (call, next) => {
        const card = cardAt(world, call);
        const foreign = card && !world.rules.reaches(call.client!, card.customer);
        return foreign && typeof bodyOf(call).pin === 'string' ? { status: 200 } : next();
      }),
  ),
  effect(
    'wallet-flag-of-digital-cards-alone',
    'cards.markWalletProvisioned',
    26,
    'Any card is answered with 201, and digital ones alone are flagged',
    (world) => {
      const { act } = world.rules;
      world.rules.act = (card, action) => {
        if (action !== 'wallet-provisioned' || card.digital) act(card, action);
      };
    },
  ),
  effect(
    'reprint-frees-a-suspended-card',
    'cards.reissue',
    10,
    'A reprint begins with a fresh record: the card that was suspended is Active',
    (world) =>
      afterCard(world, 'cards.reissue', (card) => {
        if (card.status !== 'OnHold') return;
        change(world, card, { status: 'Active' });
        card.stored.status = 'Active';
      }),
  ),
  form(
    'lost-with-a-receipt',
    'cards.markLost',
    3,
    'marklost answers with a receipt where no body is promised',
    (world) => after(world, 'cards.markLost', (call, answer) => ({ ...answer, body: { reported: call.identifier } })),
  ),
];

/** A transfer that takes its time between reading and writing, one of a kind after the other. */
function slowly(world: World, kind: (source: Card, target: Card) => string): void {
  const queues = new Map<string, Promise<void>>();
  world.rules.move = (source, target, cents) => {
    const key = kind(source, target);
    const mine = (queues.get(key) ?? Promise.resolve()).then(async () => {
      const [left, right] = [source.cents, target.cents];
      await sleep(20);
      change(world, source, { cents: left - cents });
      change(world, target, { cents: right + cents });
    });
    queues.set(key, mine);
    return mine;
  };
}

const money: Fault[] = [
  cash(
    'pairs-are-locked-not-cards',
    'cards.transfer',
    27,
    'Transfers wait for others of the same pair alone: two to different cards at once are one for the payer',
    (world) => slowly(world, (source, target) => `${source.identifier}>${target.identifier}`),
  ),
  once(
    'same-payment-of-another-payer',
    'cards.transfer',
    27,
    'A repeated request is known by receiver and amount: what a second card pays is taken for the first again',
    (world) => {
      const seen = new Map<string, { source: Card; at: number }>();
      const { move } = world.rules;
      world.rules.move = async (source, target, cents) => {
        const key = `${target.identifier}|${cents}`;
        const earlier = seen.get(key);
        if (earlier && earlier.source !== source && world.now() - earlier.at < 30_000) return;
        seen.set(key, { source, at: world.now() });
        await move(source, target, cents);
      };
    },
  ),
  cash(
    'empty-balance-is-not-written',
    'cards.transfer',
    27,
    'A balance of nothing counts as no value, and is not written: who pays all keeps all',
    (world) => {
      const { move } = world.rules;
      world.rules.move = (source, target, cents) => {
        if (source.cents !== cents) return move(source, target, cents);
        change(world, target, { cents: target.cents + cents });
      };
    },
  ),
  cash(
    'answers-with-whole-amounts',
    'cards.transfer',
    27,
    'The amount in the answer is rounded to whole units; what moves is right',
    (world) => {
      const { transferView } = world.rules;
      world.rules.transferView = (source, target, cents, body) => ({
        ...transferView(source, target, cents, body),
        amount: Math.round(cents / 100),
      });
    },
  ),
  direction(
    'target-left-out-is-the-last-one',
    'cards.transfer',
    27,
    'A transfer without target goes to the card that this card paid last',
    (world) => {
      const last = new Map<string, unknown>();
      around(world, 'cards.transfer', async (call, next) => {
        const body = bodyOf(call);
        const kept = last.get(call.identifier);
        if (isObject(call.body) && body.targetCardIdentifier === undefined && kept !== undefined)
          call.body = { ...body, targetCardIdentifier: kept };
        const answer = await next();
        if (answer.status === 200) last.set(call.identifier, bodyOf(call).targetCardIdentifier);
        return answer;
      });
    },
  ),
  direction(
    'pays-strangers',
    'cards.transfer',
    13,
    'The target of a transfer is looked for among all cards, those of other clients too',
    (world) =>
      around(world, 'cards.transfer', async (call, next) => {
        const body = bodyOf(call);
        const source = world.rules.cardOf(call.client!, call.identifier);
        const target = world.cards.find(({ identifier }) => identifier === body.targetCardIdentifier);
        const cents = typeof body.amount === 'number' ? world.rules.cents(body.amount) : undefined;
        if (!source || !target || !cents || world.rules.reaches(call.client!, target.customer)) return next();
        const problem = world.rules.transferProblem(source, target, cents, body);
        if (problem) throw problem;
        await world.rules.move(source, target, cents);
        return { status: 200, body: world.rules.transferView(source, target, cents, body) };
      }),
  ),
  cash(
    'suspension-takes-back-the-last-payment',
    'cards.suspend',
    10,
    'Whoever suspends a card within ten seconds of a payment is given back what it paid; the receiver keeps it',
    (world) => {
      const paid = new Map<string, { cents: number; at: number }>();
      const { move } = world.rules;
      world.rules.move = async (source, target, cents) => {
        await move(source, target, cents);
        paid.set(source.identifier, { cents, at: world.now() });
      };
      afterCard(world, 'cards.suspend', (card) => {
        const last = paid.get(card.identifier);
        if (last && world.now() - last.at < 10_000) change(world, card, { cents: card.cents + last.cents });
        paid.delete(card.identifier);
      });
    },
  ),
  form(
    'transfer-dated-in-words',
    'cards.transfer',
    4,
    'The dates of a transfer are written as in a letter',
    (world) => {
      const { transferView } = world.rules;
      world.rules.transferView = (source, target, cents, body) => {
        const creationDate = new Date(world.now()).toUTCString();
        return { ...transferView(source, target, cents, body), creationDate, lastUpdateDate: creationDate };
      };
    },
  ),
];

const sessions: Fault[] = [
  session(
    'logout-ends-what-began-in-the-same-second',
    'portal.logout',
    33,
    'Sessions are known by the second they began in: a logout ends all of that second, whoever holds them',
    (world) => {
      const second = ({ opened }: Session) => Math.floor(opened / 1000);
      world.rules.endSession = (session) => {
        for (const other of world.sessions) if (second(other) === second(session)) other.ended = true;
      };
    },
  ),
  session(
    'six-sessions-in-all',
    'portal.login',
    33,
    'The desk has room for six sessions: a seventh login, by whomever, ends the oldest, whosever it is',
    (world) => {
      const { openSession } = world.rules;
      world.rules.openSession = (user) => {
        const open = world.sessions.filter(({ ended }) => !ended);
        if (open.length >= 6) open[0]!.ended = true;
        return openSession(user);
      };
    },
  ),
  form(
    'clerk-without-customer',
    'portal.login',
    5,
    'The user of a clerk is made from another view, which has no customerId',
    (world) =>
      after(world, 'portal.login', (_call, answer) => {
        const { customerId, ...rest } = answer.body as Fields;
        return rest.role === 'clerk' ? { ...answer, body: rest } : undefined;
      }),
  ),
  session(
    'second-logout-ends-another',
    'portal.logout',
    33,
    'A logout with an ended session is taken for the user, and ends the next session that he holds',
    (world) =>
      before(world, 'portal.logout', (call, next) => {
        const ended = world.sessions.find(({ id, ended }) => ended && id === call.query.get('sessionId'));
        const other = ended && world.sessions.find((session) => session.user === ended.user && !session.ended);
        if (!other) return next();
        world.rules.endSession(other);
        return { status: 200 };
      }),
  ),
  form(
    'checks-refused-in-plain-words',
    'portal.getCIPCheck',
    12,
    'A check that is not permitted gets 401 from a gateway, with a sentence for a body',
    (world) =>
      before(world, 'portal.getCIPCheck', async (_call, next) => {
        const answer = await next();
        return answer.status === 401 ? { status: 401, raw: 'You are not entitled to this.' } : answer;
      }),
  ),
  direction(
    'clerk-is-refused-his-own-customer-alone',
    'portal.getCustomerHierarchy',
    35,
    'The restriction of a user is looked for with his own customer: of those below he gets the hierarchy',
    (world) => {
      const { entitled } = world.rules;
      world.rules.entitled = (call, operation) =>
        entitled(call, operation) ||
        (operation === 'getCustomerHierarchy' && call.query.get('customerId') !== String(call.user!.customer.portalId));
    },
  ),
  form(
    'logout-says-goodbye',
    'portal.logout',
    3,
    'A logout answers with an object where no body is promised',
    (world) => after(world, 'portal.logout', (_call, answer) => ({ ...answer, body: { loggedOut: true } })),
  ),
  direction(
    'clerk-lists-everybody',
    'portal.getCustomerList',
    13,
    'Whose customers are listed is decided for owners; a clerk gets the customers of the whole house',
    (world) => {
      const { sees } = world.rules;
      world.rules.sees = (call, customer) =>
        sees(call, customer) || (call.operation === 'portal.getCustomerList' && call.user!.role === 'clerk');
    },
  ),
];

const desk: Fault[] = [
  direction(
    'no-parent-for-who-has-nobody-below',
    'portal.getCustomerHierarchy',
    37,
    'The parent comes with the first child: a customer without customers stands alone',
    (world) => {
      const { hierarchy } = world.rules;
      world.rules.hierarchy = (call, customer) =>
        hierarchy(call, customer).filter(
          (other) => other !== customer.parent || world.customers.some(({ parent }) => parent === customer),
        );
    },
  ),
  direction(
    'unbranded-programs-of-strangers',
    'portal.getCustomerProgramList',
    13,
    'Whose programs may be seen is checked in the query of branded ones; unbranded ones are shown of anybody',
    (world) => {
      const { sees } = world.rules;
      world.rules.sees = (call, customer) =>
        sees(call, customer) ||
        (call.operation === 'portal.getCustomerProgramList' && call.query.get('showBranded') === 'false');
    },
  ),
  form(
    'parent-with-a-zip-of-text',
    'portal.getCustomerHierarchy',
    4,
    'The parent in a hierarchy comes from another table, where zip is a text',
    (world) =>
      after(world, 'portal.getCustomerHierarchy', (call, answer) => {
        const parent = world.rules.portalCustomer(call.query.get('customerId') ?? '')?.parent;
        return listed(answer, 'items', (list) =>
          list.map((item) => (item.customerId === parent?.portalId ? { ...item, zip: String(item.zip) } : item)),
        );
      }),
  ),
  direction(
    'unknown-customer-is-ones-own',
    'portal.getCustomerProgramList',
    40,
    'A customerId that nobody has gives the programs of the user who asks',
    (world) =>
      around(world, 'portal.getCustomerProgramList', (call, next) => {
        const asked = call.query.get('customerId') ?? '';
        if (/^\d+$/.test(asked) && !world.rules.portalCustomer(asked))
          call.query.set('customerId', String(call.user!.customer.portalId));
        return next();
      }),
  ),
  session(
    'programs-remember-the-switches',
    'portal.getCustomerProgramList',
    40,
    'A switch that is left out is as the session had it last',
    (world) => {
      const kept = new Map<string, string>();
      around(world, 'portal.getCustomerProgramList', (call, next) => {
        for (const name of ['showAutoCreated', 'showBranded']) {
          const [key, value] = [`${call.session!.id}|${name}`, call.query.get(name)];
          if (value) kept.set(key, value);
          else if (kept.has(key)) call.query.set(name, kept.get(key)!);
        }
        return next();
      });
    },
  ),
  ordinary(
    'five-programs-a-customer',
    'portal.getCustomerProgramList',
    40,
    'The list of programs ends after the fifth',
    (world) => {
      const { programsShown } = world.rules;
      world.rules.programsShown = (...asked) => programsShown(...asked).slice(0, 5);
    },
  ),
  cache(
    'machines-kept-by-place',
    'portal.getATMLocation',
    41,
    'The machines of a place are kept for a minute by latitude and longitude: then no page need be named',
    (world) => {
      const kept = new Map<string, { answer: Answer; until: number }>();
      around(world, 'portal.getATMLocation', async (call, next) => {
        const key = `${call.query.get('latitude')}|${call.query.get('longitude')}`;
        const found = kept.get(key);
        if (found && found.until > world.now()) return found.answer;
        const answer = await next();
        if (answer.status === 200) kept.set(key, { answer, until: world.now() + 60_000 });
        return answer;
      });
    },
  ),
  form(
    'fee-types-not-modified',
    'portal.getShippingFeeTypes',
    3,
    'A session that has the fee types gets no bytes when it asks again, and 200',
    (world) => {
      const count = counter();
      after(world, 'portal.getShippingFeeTypes', (call) => (count(call.session) > 1 ? { status: 200 } : undefined));
    },
  ),
  form(
    'machines-refused-with-a-list',
    'portal.getATMLocation',
    12,
    'The 400 of a bad place or page is a list of errors, as it is in v3',
    (world) =>
      around(world, 'portal.getATMLocation', async (_call, next) => {
        const answer = await next();
        return answer.status === 400 ? { ...answer, body: [answer.body] } : answer;
      }),
  ),
  form(
    'shipping-methods-are-objects',
    'portal.getShippingMethods',
    4,
    'Each shipping method is an object with a name and a price, not a text',
    (world) =>
      after(world, 'portal.getShippingMethods', (_call, answer) => {
        const { items } = answer.body as { items: string[] };
        return members(answer, { items: items.map((name) => ({ name, price: 4.5 })) });
      }),
  ),
];

const sayings = (answer: Answer) => (answer.body as { data: Fields }).data;

const persons: Fault[] = [
  ordinary(
    'street-and-city-share-forty-five',
    'portal.getCIPCheck',
    39,
    'The limit is of the line that is printed: street and city have 45 characters together',
    (world) => {
      const { cipProblem } = world.rules;
      world.rules.cipProblem = (body) =>
        cipProblem(body) ?? (`${body.address}${body.city}`.length > 45 ? 'address' : undefined);
    },
  ),
  odd(
    'last-four-unchecked-beside-a-number',
    'portal.getCIPCheck',
    39,
    'Where ssn is given ssnLast4 is not looked at, and may have five digits',
    (world) => {
      const { cipProblem } = world.rules;
      world.rules.cipProblem = (body) => cipProblem(body.ssn ? { ...body, ssnLast4: undefined } : body);
    },
  ),
  odd(
    'digits-counted-with-their-sign',
    'portal.getCIPCheck',
    39,
    'Digits are counted as characters, and a sign is one: -5 is a day of two digits, -999 a year of four',
    (world) => {
      const { cipProblem } = world.rules;
      const widths = { zip: 5, dobMonth: 2, dobDay: 2, dobYear: 4, ssn: 9, ssnLast4: 4 };
      world.rules.cipProblem = (body) => {
        const read = { ...body };
        for (const [name, width] of Object.entries(widths))
          if (Number(body[name]) < 0 && String(body[name]).length <= width) read[name] = name === 'dobYear' ? 1990 : 1;
        return cipProblem(read);
      };
    },
  ),
  session(
    'questions-left-over',
    'portal.getCIPCheck',
    38,
    'The questions of a Partial stay with the session, and come with whoever is checked next',
    (world) => {
      const kept = new Map<Session, Fields>();
      after(world, 'portal.getCIPCheck', (call, answer) => {
        const data = sayings(answer);
        const { diffQuestionList, questionList } = data;
        if (data.summaryResult === 'Partial') kept.set(call.session!, { diffQuestionList, questionList });
        const left = kept.get(call.session!);
        return left ? members(answer, { data: { ...data, ...left } }) : undefined;
      });
    },
  ),
  ordinary('return-code-zero-for-fail', 'portal.getCIPCheck', 38, 'Who is not found gets returnCode 0', (world) =>
    after(world, 'portal.getCIPCheck', (_call, answer) =>
      sayings(answer).summaryResult === 'Fail' ? members(answer, { returnCode: 0 }) : undefined,
    ),
  ),
  session(
    'sixth-check-of-a-session-passes',
    'portal.getCIPCheck',
    38,
    'A session has five checks at the bureau; from the sixth on everybody passes',
    (world) => {
      const count = counter();
      after(world, 'portal.getCIPCheck', (call, answer) => {
        if (count(call.session) <= 5) return undefined;
        return members(answer, { data: { summaryResult: 'Pass', diffQuestionList: null, questionList: null } });
      });
    },
  ),
  ordinary(
    'state-from-the-zip',
    'portal.getCIPCheck',
    39,
    'The state is looked up by the zip where it is missing',
    (world) =>
      around(world, 'portal.getCIPCheck', (call, next) => {
        if (isObject(call.body) && call.body.zip !== undefined) call.body = { state: 'OH', ...call.body };
        return next();
      }),
  ),
  form(
    'verification-id-as-text',
    'portal.getCIPCheck',
    4,
    'The Idnumber of a Partial with questions of the configuration is a text',
    (world) =>
      after(world, 'portal.getCIPCheck', (_call, answer) => {
        const data = sayings(answer);
        return data.questionList && data.Idnumber !== undefined
          ? members(answer, { data: { ...data, Idnumber: `V-${data.Idnumber}` } })
          : undefined;
      }),
  ),
  odd(
    'check-without-body-and-type-crashes',
    'portal.getCIPCheck',
    6,
    'Without a body and without Content-Type there is nothing to read, and nobody thought of it: 500',
    (world) =>
      around(world, 'portal.getCIPCheck', (call, next) => {
        if (call.text === '' && call.headers['content-type'] === undefined) crash();
        return next();
      }),
  ),
  cache(
    'outcomes-kept-by-number',
    'portal.getCIPCheck',
    38,
    'Outcomes are kept by ssn, and all persons without one share a place: each has the outcome of the first',
    (world) => {
      const kept = new Map<unknown, ReturnType<World['rules']['cipPerson']>>();
      const { cipPerson } = world.rules;
      world.rules.cipPerson = (body) => {
        const key = body.ssn ?? 'none';
        if (!kept.has(key)) kept.set(key, cipPerson(body));
        return kept.get(key);
      };
    },
  ),
  ordinary(
    'years-of-two-digits',
    'portal.getCIPCheck',
    39,
    'A year of two digits is taken for one of the last century',
    (world) => {
      const { cipProblem } = world.rules;
      const whole = (year: unknown) => (typeof year === 'number' && year >= 0 && year < 100 ? 1900 + year : year);
      world.rules.cipProblem = (body) => cipProblem({ ...body, dobYear: whole(body.dobYear) });
    },
  ),
];

/** Orders are read otherwise before they are checked. */
function orderRead(world: World, read: (body: Fields, program: Program | undefined) => Fields): void {
  around(world, 'portal.orderCards', (call, next) => {
    const program = world.programs.find(({ id }) => id === bodyOf(call).custProgId);
    if (isObject(call.body)) call.body = read(call.body, program);
    return next();
  });
}

const amount = (item: Fields | undefined) => Number(item?.amount ?? 0);

const orders: Fault[] = [
  direction(
    'order-identifiers-by-product',
    'portal.orderCards',
    44,
    'Order identifiers are unique among the programs of one product',
    (world) => {
      world.rules.duplicateOrder = (earlier, order) =>
        Boolean(order.external) &&
        earlier.external === order.external &&
        earlier.program.product === order.program.product;
    },
  ),
  once(
    'digital-off-for-one-card-alone',
    'portal.orderCards',
    44,
    'That a program has no digital cards is checked for an order of one card',
    (world) => {
      const { orderSwitches } = world.rules;
      world.rules.orderSwitches = (order) => orderSwitches(order.several ? { ...order, digital: false } : order);
    },
  ),
  once(
    'load-off-for-the-first-card-alone',
    'portal.orderCards',
    44,
    'Whether an order loads is read from its first card',
    (world) => {
      const { orderSwitches } = world.rules;
      world.rules.orderSwitches = (order) =>
        orderSwitches(order.program.load ? order : { ...order, load: amount(order.items[0]) > 0 });
    },
  ),
  once(
    'digital-orders-load-anywhere',
    'portal.orderCards',
    44,
    'A Digital order leaves by another branch, where the load setting is not looked at',
    (world) => {
      const { orderSwitches } = world.rules;
      world.rules.orderSwitches = (order) => orderSwitches(order.digital ? { ...order, load: false } : order);
    },
  ),
  odd(
    'instant-issue-of-any-type',
    'portal.orderCards',
    42,
    'With isInstantIssue the type follows from the program, and orderProdType may be anything',
    (world) =>
      orderRead(world, (body, program) =>
        program && body.isInstantIssue === true && !ORDER_TYPES.includes(String(body.orderProdType))
          ? { ...body, orderProdType: INSTANT[program.product] }
          : body,
      ),
  ),
  once(
    'digital-orders-without-ship-to',
    'portal.orderCards',
    42,
    'Nothing is shipped of a Digital order, so the ship-to block may be missing',
    (world) =>
      orderRead(world, (body) =>
        body.cardType === 'Digital'
          ? { address1: '-', address2: '-', attn: '-', city: '-', state: '-', zip: '-', ...body }
          : body,
      ),
  ),
  once(
    'duplicates-seen-after-a-moment',
    'portal.orderCards',
    44,
    'Duplicates are looked for in a copy that is a quarter of a second old',
    (world) => {
      const { duplicateOrder } = world.rules;
      world.rules.duplicateOrder = (earlier, order) => duplicateOrder(earlier, order) && order.at - earlier.at > 250;
    },
  ),
  direction(
    'unknown-program-is-the-first-that-fits',
    'portal.orderCards',
    42,
    'A custProgId that does not exist gives way to the first program of the customer that takes such orders',
    (world) =>
      orderRead(world, (body, program) => {
        if (program || typeof body.custProgId !== 'number') return body;
        const fits = ({ customer, product }: { customer: Customer; product: Program['product'] }) =>
          customer.portalId === body.customerId &&
          [INSTANT[product], ...PERSONAL[product]].includes(String(body.orderProdType));
        return { ...body, custProgId: world.programs.find(fits)?.id ?? body.custProgId };
      }),
  ),
  once(
    'stock-without-details',
    'portal.orderCards',
    42,
    'Stock names nobody, so orderDetails may be missing from an order of it',
    (world) =>
      orderRead(world, (body) =>
        body.isInstantIssue === true && body.orderDetails === undefined ? { ...body, orderDetails: [] } : body,
      ),
  ),
  ordinary(
    'card-type-null-crashes',
    'portal.orderCards',
    43,
    'cardType is put into small letters before it is compared, and null has none',
    (world) =>
      orderRead(world, (body) => {
        if (body.cardType === null) crash();
        return body;
      }),
  ),
];

export const unfamiliar: Fault[] = [
  ...tokens,
  ...customers,
  ...looks,
  ...steps,
  ...money,
  ...sessions,
  ...desk,
  ...persons,
  ...orders,
];
