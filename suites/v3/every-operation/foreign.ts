/** Cards outside the reach of the credentials: no operation returns or changes them (reading 13). */
import { operations } from '../../../contracts/operations.ts';
import { entries, type Input, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { expectNothingGiven } from '../../../helpers/engine/disclosure.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { check, everyExchange } from '../../declare.ts';
import { certainlySame, identifiersOf } from '../../shared/identifiers.ts';
import * as KnownCards from '../../shared/known-cards.ts';
import * as Requests from '../../shared/requests.ts';
import { readings } from '../cards/scenarios/reading.ts';

/** Operations on a card, but for transfers: those are judged by the money. */
const onCards = operations.filter(
  ({ id, listedOnly, pathParameters }) =>
    id.startsWith('cards.') && !listedOnly && pathParameters.length > 0 && id !== 'cards.transfer',
);

/** Expects that none of some requests for cards outside the reach of the credentials is answered. */
async function expectForeign(t: Context, operation: string, inputs: readonly Input[]): Promise<void> {
  const { cards, users } = t.fixtures;
  const known = [users?.foreignCustomerIdentifier, ...(cards?.foreign ?? [])].filter((one) => one !== undefined);
  for (const input of inputs) {
    const answer = await t.call(operation, input, { intent: 'foreign' });
    expectNothingGiven(answer, 'a request for a foreign card', { history: t.run.answers, known });
  }
}

// At the end: other requests have named the card by then, and a faulty target may show anybody what it has cached of it.
check('cards.get.foreign', 'with parameters', { phase: 'end' }, async (t) => {
  const [identifier] = KnownCards.foreignCards(t) as [string];
  const { byProxy, filters } = t.fixtures.cards ?? {};
  const ofProxy = { programIdentifier: byProxy?.programIdentifier ?? filters?.programIdentifier, isDigital: false };
  const plain = [{ byToken: false }, { byProxy: false }, { byToken: false, byProxy: false }];
  const flags = t.rotated('cards.get: flags with a foreign card', plain, { name: JSON.stringify });
  const queries = [...flags, { byToken: true }, ofProxy, { byProxy: true, ...ofProxy }];
  const inputs = queries.map((query) => ({ path: { identifier }, query }));
  await expectForeign(t, 'cards.get', inputs);
});

for (const { id, risk } of onCards)
  check(`${id}.foreign`, 'cards of the fixtures, and where it reads, one of them again', async (t) => {
    const cards = KnownCards.foreignCards(t);
    const [first] = cards as [string];
    const otherwise = Forms.equivalents(first).map(({ text }) => text);
    const again = risk === 'safe' ? t.rotated(`${id}: a foreign card again`, [first, ...otherwise]) : [];
    // cards.get is asked for this card once more by the check with parameters, and a payload for it with a nonce.
    const isElsewhere = (card: string) => id === 'cards.encryptForVde' || (id === 'cards.get' && card === first);
    const body = id === 'cards.reissue' ? { json: { externalIdentifier: t.unique('reissue') } } : {};
    const asked = [...cards, ...again.filter((card) => !isElsewhere(card))];
    const inputs = asked.map((card) => ({ ...Requests.named(t, id, card, card), ...body }));
    if (id === 'cards.encryptForVde') inputs.push({ ...inputs[0], json: { nonce: crypto.randomUUID() } });
    await expectForeign(t, id, inputs);
  });

const readRelated = readings.reads('cards.listRelated.foreign', 'cards.listRelated');
check('cards.listRelated.foreign', 'among the cards related to others', async (t) => {
  await readRelated(t);
  if (t.fixtures.cards!.withRelated !== undefined) await t.shared(KnownCards.relatedToFixture);
  const listed = identifiersOf(await Requests.listedOn(t, Requests.firstCards));
  for (const identifier of t.rotated('cards.listRelated: cards', listed, { count: 2 }))
    await t.call('cards.listRelated', { path: { identifier } }, { intent: 'refusable' });
});

check('cards.list.foreign', 'by a filter that names their customer, alone and beside another', async (t) => {
  const customerIdentifier = t.fixtures.users?.foreignCustomerIdentifier;
  await t.shared(Requests.firstCards);
  if (customerIdentifier === undefined) return;
  const { programIdentifier } = t.fixtures.cards?.filters ?? {};
  for (const query of [{ customerIdentifier }, { max: Searches.PAGE, customerIdentifier, programIdentifier }])
    await t.call('cards.list', { query }, { intent: 'foreign' });
});

for (const requirement of ['cards.list.foreign', 'cards.listRelated.foreign'])
  everyExchange(requirement, requirement.replace('.foreign', ''), (answer, { cards, users }) => {
    const listed = entries(answer);
    if (!succeeded(answer) || identifiersOf(listed).length === 0) return undefined;
    const isForeignCard = (value: unknown) => cards?.foreign?.some((one) => certainlySame(String(value), one)) ?? false;
    const { foreignCustomerIdentifier: customer } = users ?? {};
    const isOfForeignCustomer = (value: unknown) => customer !== undefined && certainlySame(String(value), customer);
    const foreign = listed.find(
      ({ identifier, customerIdentifier }) => isForeignCard(identifier) || isOfForeignCustomer(customerIdentifier),
    );
    if (foreign === undefined) return 'kept';
    const message = 'a card outside the reach of the credentials is listed';
    return contradicts(message, 'absent', String(foreign.identifier), '/results');
  });
