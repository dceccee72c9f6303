import { type Draft, type Fault, overlooked, slug, spot } from './fault.ts';

const fold = (text: string) => text.toLowerCase();

const listing = 'v3, Errors: GET users customers and GET cards answer a bad request with 400';

const proxy = 'v3, GET card: programIdentifier and isDigital are required when byProxy is true';

const values: Draft[] = [
  overlooked('max-as-a-word-accepted', 'users.list', listing, 'bad-max', ({ query }) =>
    /^[a-z]+$/i.test(query.get('max') ?? ''),
  ),
  overlooked('max-as-a-word-accepted-for-cards', 'cards.list', listing, 'bad-max', ({ query }) =>
    /^[a-z]+$/i.test(query.get('max') ?? ''),
  ),
  overlooked('max-with-fraction-accepted', 'users.list', listing, 'bad-max', ({ query }) =>
    /\./.test(query.get('max') ?? ''),
  ),
  overlooked('max-negative-accepted', 'users.list', listing, 'bad-max', ({ query }) =>
    /^-/.test(query.get('max') ?? ''),
  ),
  overlooked(
    'continuation-made-up-accepted',
    'users.list',
    listing,
    'bad-continuation',
    undefined,
    'that a token made up is a bad request is nowhere said',
  ),
  overlooked(
    'proxy-without-program-accepted',
    'cards.get',
    proxy,
    'proxy-incomplete',
    ({ query }, field) => field === 'programIdentifier' && !query.has('programIdentifier'),
  ),
  overlooked(
    'proxy-with-empty-program-accepted',
    'cards.get',
    proxy,
    'proxy-incomplete',
    ({ query }, field) => field === 'programIdentifier' && query.has('programIdentifier'),
  ),
  overlooked(
    'proxy-without-is-digital-accepted',
    'cards.get',
    proxy,
    'proxy-incomplete',
    (_x, field) => field === 'isDigital',
  ),
  overlooked(
    'latitude-as-a-word-accepted',
    'portal.getATMLocation',
    'portal, getATMLocation: 400 bad request data',
    'bad-place',
    ({ query }, field) => field === 'latitude' && /[a-z]/i.test(query.get('latitude') ?? ''),
  ),
  overlooked(
    'order-type-in-other-case-accepted',
    'portal.orderCards',
    'portal, orderCards: allowed orderProdType values',
    'bad-order',
    ({ content }, field) =>
      field === 'orderProdType' &&
      /^(personalized|instant)/i.test(String(content.orderProdType)) &&
      String(content.orderProdType) === fold(String(content.orderProdType)),
  ),
  overlooked(
    'order-type-empty-accepted',
    'portal.orderCards',
    'portal, orderCards: orderProdType is required',
    'bad-order',
    ({ content }, field) => field === 'orderProdType' && !content.orderProdType,
  ),
  overlooked(
    'card-type-in-capitals-accepted',
    'portal.orderCards',
    'portal, orderCards: allowed cardType values: Physical, Digital',
    'bad-order',
    ({ content }, field) => field === 'cardType' && /^(PHYSICAL|DIGITAL)$/.test(String(content.cardType)),
  ),
];

/** Things are found by an identifier that goes on where theirs ends. */
const goingOn = (['users.get', 'cards.get', 'cards.getBalance', 'cards.suspend', 'cards.close'] as const).map(
  (operation): Draft => [
    `found-by-the-beginning-of-the-identifier-${slug(operation)}`,
    operation,
    'v3, Endpoints: {identifier} identifies what is meant',
    (c) => {
      const usual = c.isSame;
      c.isSame = (own, asked, x) => (x.operation === operation ? asked.startsWith(own) : usual(own, asked, x));
    },
  ],
);

/** One form of a bad value is refused, another is taken. */
export const valueFaults: Fault[] = spot(1, [...values, ...goingOn]);
