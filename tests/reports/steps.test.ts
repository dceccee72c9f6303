import { expect, test } from 'vitest';
import { type CheckResult, EVERY_EXCHANGE, type Exchange } from '../../contracts/record.ts';
import { Reproductions } from '../../reports/reproductions.ts';
import { viewOf } from '../../reports/view.ts';
import { post } from './page/synthetic.ts';
import { answer, conformance, exchange, judged } from './record-builder.ts';

const ID = 'cards.get.identifier';
const sent = (number: number, operation: string, path: string, over: Partial<Exchange> = {}, body?: object) =>
  exchange(number, { operation, ...post(`/cards/cards${path}`, body), ...over });
const once = (...ids: string[]) => ({
  retrial: { tries: 1, shown: 1, controls: 0, exchanges: ids, once: ids.slice(-1) },
});

/** The reproduction of a failed check that cites exchanges of a run. */
function reproduced(id: string, cited: readonly Exchange[], over: Partial<CheckResult>, ofRun = cited) {
  const broken = judged(id, 'failed', { exchanges: cited.map((one) => one.id), ...over });
  const view = viewOf(conformance([broken]), { exchanges: ofRun });
  const { steps, note } = new Reproductions(view, ofRun).of(broken, broken.checks[0]!);
  return { ids: steps.map(({ exchange: { id } }) => Number(id.slice(1, 6))), note };
}

const readings = Array.from({ length: 9 }, (_, index) => sent(index + 1, 'cards.get', `/c-${index}`));

test('one try of what was tried again, without what it was suspected from', () => {
  expect(reproduced(ID, readings, once('x00006', 'x00007', 'x00008')).ids).toEqual([8]);
});

test('all of a few exchanges, of many the one that shows it', () => {
  expect(reproduced(ID, readings.slice(0, 5), { shownBy: 'x00002' }).ids).toEqual([1, 2, 3, 4, 5]);
  expect(reproduced(ID, readings, { shownBy: 'x00002' }).ids).toEqual([2]);
});

test('what its check did to the card before, also where it was refused, and nothing done to others', () => {
  const by = { check: `${ID}: as documented` };
  const run = [
    sent(1, 'cards.suspend', '/c-1/suspend', by),
    sent(2, 'cards.unsuspend', '/c-2/unsuspend', by),
    sent(3, 'cards.unsuspend', '/c-1/unsuspend', { ...by, intent: 'unauthorised' }),
    sent(4, 'cards.suspend', '/c-1/suspend', { check: 'another check' }),
    sent(5, 'cards.get', '/c-1', by),
    sent(6, 'cards.close', '/c-1/close', by),
  ];
  const over = { name: EVERY_EXCHANGE, shownBy: 'x00005' };
  const undone = 1;
  expect(reproduced('cards.get.shape', [run[4]!], over, run).ids).toEqual([1, 3, 5, undone]);
});

test('the order that a later one repeats; where none has the same identifier, those that resemble it', () => {
  const order = (number: number, externalIdentifier: string) =>
    sent(number, 'portal.orderCards', '', {}, { externalIdentifier });
  const orders = ['100000000001', '900000000009', '100000000002', '100000000003'].map((one, n) => order(n + 1, one));
  const again = [...orders, order(5, '900000000009')];
  expect(reproduced('portal.orderCards.duplicate-order', again, once('x00005')).ids).toEqual([2, 5]);
  expect(reproduced('portal.orderCards.distinct-identifiers', orders, once('x00004')).ids).toEqual([1, 3, 4]);
});

test('the logout of a session that is used afterwards, and its login', () => {
  const inSession = (number: number, operation: string) =>
    sent(number, operation, '?sessionId=<REDACTED_SESSION_ID>', { credential: 'credential 2' });
  const response = answer(200, '{"sessionId":"<REDACTED_SESSION_ID>"}');
  const run = [
    sent(1, 'portal.login', '?loginID=me', { gives: 'credential 2', response }),
    inSession(2, 'portal.logout'),
    inSession(3, 'portal.getCustomerList'),
  ];
  const over = { name: EVERY_EXCHANGE, shownBy: 'x00003' };
  expect(reproduced('portal.getCustomerList.requires-session', run.slice(1), over, run).ids).toEqual([1, 2, 3]);
});

test('of exchanges that show the same, one whose answer depends on nothing that a target remembers', () => {
  const findings = [{ requirement: 'cards.transfer.error-shape', message: 'the body is an object' }];
  const by = (intent: string, n: number) => sent(n + 1, 'cards.transfer', '/c/transfer', { intent, findings });
  const refused = ['refusable', 'malformed', 'refusable'].map(by);
  const over = { name: EVERY_EXCHANGE, shownBy: 'x00001' };
  expect(reproduced('cards.transfer.error-shape', refused, over).ids).toEqual([2]);
});

test('says what it changes, and that requests of the same moment are sent one after another', () => {
  const [one, other] = [1000, 1005].map((sentAt, n) => sent(n + 1, 'cards.close', '/c/close', { sentAt }));
  const noted = (...cited: Exchange[]) => reproduced('cards.close.once', cited, {}).note;
  expect(noted(one!, other!)).toMatch(/changes the target: cards.close.*same moment/);
  expect(noted(one!, { ...other!, sentAt: 1100 })).not.toContain('same moment');
});
