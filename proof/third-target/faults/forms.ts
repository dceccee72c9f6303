import type { Fault } from '../core/changes.ts';
import { around, before, faultsOf } from '../core/changes.ts';
import type { Claims, Client, Order, World } from '../core/model.ts';
import { claimsIn, headerIn, signature } from '../core/token-rules.ts';

const fault = faultsOf('forms');

const reached = (world: World, client: Client) =>
  world.cards.filter((card) => world.rules.reaches(client, card.customer));

function parts(text: string): { payload: string; signed: string; given: string } | undefined {
  const [head, payload, given] = text.split('.');
  if (headerIn(text)?.alg !== 'HS256' || !payload || given === undefined) return undefined;
  return { payload, given, signed: signature(`${head}.${payload}`) };
}

/** Orders are told apart by a part or a form of their identifier. */
function ordersBy(world: World, form: (identifier: string) => unknown): void {
  world.rules.duplicateOrder = (earlier: Order, order: Order) =>
    Boolean(order.external && earlier.external) &&
    earlier.program === order.program &&
    form(String(earlier.external)) === form(String(order.external));
}

function otherInfoBy(world: World, form: (text: string) => unknown): void {
  world.rules.duplicateOther = (earlier, was, order, item) =>
    earlier.program === order.program &&
    Boolean(was.otherInfo && item.otherInfo) &&
    form(String(was.otherInfo)) === form(String(item.otherInfo));
}

const access: Fault[] = [
  fault('token-signature-not-read', 'users.list', 17, 'A token with an altered signature is let in', (world) => {
    world.rules.readToken = (text) => {
      const read = parts(text);
      return read && claimsIn(read.payload);
    };
  }),
  fault('token-without-algorithm', 'cards.get', 17, 'A token that says alg none needs no signature', (world) => {
    const { readToken } = world.rules;
    world.rules.readToken = (text) =>
      headerIn(text)?.alg === 'none' ? claimsIn(text.split('.')[1] ?? '') : readToken(text);
  }),
  fault(
    'token-continued',
    'cards.getBalance',
    17,
    'What follows the signature of a token is not looked at',
    (world) => {
      world.rules.readToken = (text) => {
        const read = parts(text);
        return read?.given.startsWith(read.signed) ? claimsIn(read.payload) : undefined;
      };
    },
  ),
  fault('token-shortened', 'cards.getStatus', 17, 'A signature is compared over the length that was sent', (world) => {
    world.rules.readToken = (text) => {
      const read = parts(text);
      return read && read.given.length > 20 && read.signed.startsWith(read.given) ? claimsIn(read.payload) : undefined;
    };
  }),
  fault('token-in-any-case', 'cards.list', 17, 'Tokens are kept in a table that ignores case', (world) => {
    const kept = new Map<string, Claims>();
    const { writeToken } = world.rules;
    world.rules.writeToken = (claims) => {
      const text = writeToken(claims);
      kept.set(text.toLowerCase(), claims);
      return text;
    };
    world.rules.readToken = (text) => kept.get(text.toLowerCase());
  }),
  fault(
    'token-under-any-scheme',
    'cards.listRelated',
    17,
    'The last word of Authorization is the token, whatever the scheme',
    (world) => {
      world.rules.bearer = (header) => header?.split(' ').at(-1);
    },
  ),
  fault('secret-in-any-case', 'token.issue', 16, 'A client secret is compared without case', (world) => {
    world.rules.clientOf = (id, secret) =>
      world.clients.find((client) => client.id === id && client.secret.toLowerCase() === secret.toLowerCase());
  }),
  fault(
    'secret-cut-at-sixteen',
    'token.issue',
    16,
    'Only sixteen characters of a client secret are compared',
    (world) => {
      world.rules.clientOf = (id, secret) =>
        world.clients.find((client) => client.id === id && client.secret.slice(0, 16) === secret.slice(0, 16));
    },
  ),
  fault(
    'client-told-by-its-first-group',
    'token.issue',
    16,
    'A client id is compared up to its first hyphen',
    (world) => {
      world.rules.clientOf = (id, secret) =>
        world.clients.find((client) => client.id.split('-')[0] === id.split('-')[0] && client.secret === secret);
    },
  ),
  fault('session-in-any-case', 'portal.getShippingMethods', 34, 'A session id is compared without case', (world) => {
    world.rules.sessionOf = (id) =>
      world.sessions.find((session) => !session.ended && session.id.toLowerCase() === id.toLowerCase());
  }),
  fault(
    'session-cut-at-twenty',
    'portal.getCustomerList',
    34,
    'Only twenty characters of a session id are compared',
    (world) => {
      world.rules.sessionOf = (id) =>
        world.sessions.find((session) => !session.ended && session.id.slice(0, 20) === id.slice(0, 20));
    },
  ),
  fault('password-in-any-case', 'portal.login', 32, 'A password is compared without case', (world) => {
    world.rules.userOf = (loginID, password) =>
      world.users.find((user) => user.loginID === loginID && user.password.toLowerCase() === password.toLowerCase());
  }),
  fault(
    'password-cut-at-twelve',
    'portal.login',
    32,
    'Only twelve characters of a password count, as an old hash had it',
    (world) => {
      world.rules.userOf = (loginID, password) =>
        world.users.find((user) => user.loginID === loginID && user.password.slice(0, 12) === password.slice(0, 12));
    },
  ),
];

const identifiers: Fault[] = [
  fault(
    'card-path-loses-its-suffix',
    'cards.get',
    11,
    'What follows a dot or semicolon in a path is cut off as a format',
    (world) => {
      const { cardOf } = world.rules;
      world.rules.cardOf = (client, identifier) => cardOf(client, identifier.replace(/[.;].*$/, ''));
    },
  ),
  fault(
    'card-identifier-cut-at-36',
    'cards.getStatus',
    11,
    'A card is looked up by the first 36 characters of what was sent',
    (world) => {
      const { cardOf } = world.rules;
      world.rules.cardOf = (client, identifier) => cardOf(client, identifier.slice(0, 36));
    },
  ),
  fault(
    'card-identifier-begins-alike',
    'cards.getBalance',
    11,
    'A card is found by the beginning of its identifier',
    (world) => {
      world.rules.cardOf = (client, text) =>
        text.length >= 8 ? reached(world, client).find(({ identifier }) => identifier.startsWith(text)) : undefined;
    },
  ),
  fault(
    'customer-identifier-of-one-group',
    'users.get',
    11,
    'A customer is found by the first group of its identifier',
    (world) => {
      world.rules.customerOf = (client, text) =>
        world.rules.customersOf(client).find(({ identifier }) => identifier.split('-')[0] === text.split('-')[0]);
    },
  ),
  fault(
    'proxy-is-a-number',
    'cards.get',
    23,
    'A proxy is compared as a number, so that leading zeros do not count',
    (world) => {
      world.rules.byProxy = (client, proxy, program, digital) =>
        reached(world, client).find(
          (card) => Number(card.proxy) === Number(proxy) && card.program === program && card.digital === digital,
        );
    },
  ),
  fault('proxy-by-its-last-nine', 'cards.get', 23, 'A proxy is found by its last nine digits', (world) => {
    world.rules.byProxy = (client, proxy, program, digital) =>
      reached(world, client).find(
        (card) => card.proxy.endsWith(proxy.slice(-9)) && card.program === program && card.digital === digital,
      );
  }),
  fault(
    'proxy-or-the-next-one',
    'cards.get',
    23,
    'A proxy that is not there finds the next one of its program',
    (world) => {
      world.rules.byProxy = (client, proxy, program, digital) =>
        reached(world, client)
          .filter((card) => card.proxy >= proxy && card.program === program && card.digital === digital)
          .sort((one, other) => (one.proxy < other.proxy ? -1 : 1))[0];
    },
  ),
  fault('temporary-token-in-any-case', 'cards.get', 23, 'A temporary token is looked up without case', (world) => {
    const { byToken } = world.rules;
    world.rules.byToken = (client, text) =>
      byToken(
        client,
        world.temporaryTokens.find((token) => token.text.toLowerCase() === text.toLowerCase())?.text ?? '',
      );
  }),
  fault(
    'temporary-token-by-its-beginning',
    'cards.get',
    23,
    'Twelve characters of a temporary token are enough',
    (world) => {
      const { byToken } = world.rules;
      world.rules.byToken = (client, text) =>
        byToken(
          client,
          world.temporaryTokens.find((token) => token.text.slice(0, 12) === text.slice(0, 12))?.text ?? '',
        );
    },
  ),
  fault(
    'target-cut-at-36',
    'cards.transfer',
    27,
    'A target card is looked up by the first 36 characters of what was sent',
    (world) => {
      const { cardOf } = world.rules;
      around(world, 'cards.transfer', (call, next) => {
        const body = call.body as { targetCardIdentifier?: unknown } | undefined;
        const target = body?.targetCardIdentifier;
        if (typeof target === 'string' && !cardOf(call.client!, target))
          call.body = { ...body, targetCardIdentifier: target.slice(0, 36) };
        return next();
      });
    },
  ),
];

const searches: Fault[] = [
  fault('name-with-wildcards', 'users.list', 20, '% and _ in a name stand for any characters', (world) => {
    const { customerMatches } = world.rules;
    world.rules.customerMatches = (customer, { name, ...rest }) => {
      const pattern = (name ?? '')
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('%', '.*')
        .replaceAll('_', '.');
      return customerMatches(customer, rest) && new RegExp(pattern).test(customer.name);
    };
  }),
  fault('name-by-any-word', 'users.list', 11, 'A name is found if any of the words asked for is in it', (world) => {
    const { customerMatches } = world.rules;
    world.rules.customerMatches = (customer, { name, ...rest }) =>
      customerMatches(customer, rest) &&
      (!name || name.split(/\s+/).some((word) => word !== '' && customer.name.includes(word)));
  }),
  fault('v1-identifier-begins-alike', 'users.list', 11, 'A v1Identifier is found by its beginning', (world) => {
    const { customerMatches } = world.rules;
    world.rules.customerMatches = (customer, { v1Identifier, ...rest }) =>
      customerMatches(customer, rest) && (!v1Identifier || String(customer.portalId).startsWith(v1Identifier));
  }),
  fault(
    'external-filter-is-part-of',
    'cards.list',
    22,
    'externalIdentifier lists cards whose identifier contains it',
    (world) => {
      const { cardMatches } = world.rules;
      world.rules.cardMatches = (card, { externalIdentifier, ...rest }) =>
        cardMatches(card, rest) && (!externalIdentifier || card.external.includes(externalIdentifier));
    },
  ),
  fault(
    'order-filter-begins-alike',
    'cards.list',
    11,
    'orderIdentifier lists the cards of each order that begins so',
    (world) => {
      const { cardMatches } = world.rules;
      world.rules.cardMatches = (card, { orderIdentifier, ...rest }) =>
        cardMatches(card, rest) && (!orderIdentifier || card.order.startsWith(orderIdentifier));
    },
  ),
  fault(
    'program-filter-by-its-number',
    'cards.list',
    11,
    'Of programIdentifier only its number is compared',
    (world) => {
      const { cardMatches } = world.rules;
      const number = (text: string) => /\d+/.exec(text)?.[0];
      world.rules.cardMatches = (card, { programIdentifier, ...rest }) =>
        cardMatches(card, rest) && (!programIdentifier || number(card.program) === number(programIdentifier));
    },
  ),
  fault(
    'customer-id-of-32-bits',
    'portal.getCustomerHierarchy',
    11,
    'A customerId is cut to 32 bits, so that others are taken for it',
    (world) => {
      world.rules.portalCustomer = (text) =>
        world.customers.find(({ portalId }) => portalId % 2 ** 32 === Number(text) % 2 ** 32);
    },
  ),
  fault(
    'customer-id-and-letters',
    'portal.getCustomerProgramList',
    40,
    'A customerId is read as far as it has digits',
    (world) =>
      before(world, 'portal.getCustomerProgramList', (call, next) => {
        const read = Number.parseInt(call.query.get('customerId') ?? '', 10);
        if (!Number.isNaN(read)) call.query.set('customerId', String(read));
        return next();
      }),
  ),
  fault('max-read-as-far-as-it-goes', 'users.list', 18, 'max is read as far as it has digits: 1.5 is 1', (world) =>
    around(world, 'users.list', (call, next) => {
      const read = Number.parseInt(call.query.get('max') ?? '', 10);
      if (!Number.isNaN(read)) call.query.set('max', String(read));
      return next();
    }),
  ),
];

const orders: Fault[] = [
  fault(
    'order-identifier-by-its-end',
    'portal.orderCards',
    44,
    'Orders are told apart by the last six characters of their identifier',
    (world) => ordersBy(world, (identifier) => identifier.slice(-6)),
  ),
  fault(
    'order-identifier-by-its-beginning',
    'portal.orderCards',
    44,
    'Orders are told apart by eight characters of their identifier',
    (world) => ordersBy(world, (identifier) => identifier.slice(0, 8)),
  ),
  fault(
    'order-identifier-without-zeros',
    'portal.orderCards',
    44,
    'Leading zeros of an identifier do not count',
    (world) => ordersBy(world, (identifier) => identifier.replace(/^0+/, '')),
  ),
  fault(
    'other-info-by-its-end',
    'portal.orderCards',
    44,
    'otherInfo is told apart by its last four characters',
    (world) => otherInfoBy(world, (text) => text.slice(-4)),
  ),
  fault(
    'other-info-by-its-beginning',
    'portal.orderCards',
    44,
    'otherInfo is told apart by its first seven characters',
    (world) => otherInfoBy(world, (text) => text.slice(0, 7)),
  ),
  fault(
    'address-counted-in-bytes',
    'portal.getCIPCheck',
    39,
    'The forty characters of an address are counted as bytes',
    (world) => {
      const { cipProblem } = world.rules;
      world.rules.cipProblem = (body) =>
        cipProblem(body) ?? (Buffer.byteLength(String(body.address)) > 40 ? 'address' : undefined);
    },
  ),
  fault(
    'address-cut-to-forty',
    'portal.getCIPCheck',
    39,
    'An address that is too long is cut, not refused',
    (world) => {
      const { cipProblem } = world.rules;
      world.rules.cipProblem = (body) =>
        cipProblem(typeof body.address === 'string' ? { ...body, address: body.address.slice(0, 40) } : body);
    },
  ),
  fault('birthday-of-two-digits', 'portal.getCIPCheck', 39, 'A month or day of one digit is refused', (world) => {
    const { cipProblem } = world.rules;
    world.rules.cipProblem = (body) =>
      cipProblem(body) ?? ['dobMonth', 'dobDay'].find((name) => String(body[name]).length !== 2);
  }),
];

export const forms: Fault[] = [...access, ...identifiers, ...searches, ...orders];
