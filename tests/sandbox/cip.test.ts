import { expect, test } from 'vitest';
import { type Client, start } from './client.ts';

const check = (client: Client, change: Record<string, unknown>, person = 'pass') =>
  client.portal('POST', 'getCIPCheck', {}, { ...client.fixtures.portal.cip[person], ...change });

test('each fixture person has its outcome', async () => {
  const client = await start();
  const data = async (person: string) => (await check(client, {}, person)).body.data;
  expect(await data('pass')).toMatchObject({ summaryResult: 'Pass', diffQuestionList: null, questionList: null });
  expect(await data('fail')).toMatchObject({ summaryResult: 'Fail', diffQuestionList: null, questionList: null });
  const [differentiator, questions] = [await data('partialDifferentiator'), await data('partialQuestions')];
  expect(differentiator).toMatchObject({ summaryResult: 'Partial', questionList: null });
  expect(differentiator.diffQuestionList[0].Options.length).toBeGreaterThan(1);
  expect(questions).toMatchObject({ summaryResult: 'Partial', diffQuestionList: null });
  expect((await check(client, { lastName: 'Stranger' })).body.data.summaryResult).toBe('Fail');
});

test.each([
  { address: 'a'.repeat(40) },
  { address: 'ö'.repeat(40) },
  { zip: 501 },
  { dobMonth: 1, dobDay: 1 },
  { ssn: undefined, ssnLast4: undefined },
  { ssn: null },
  { ssnLast4: 7 },
])('%j is accepted', async (change) => {
  expect((await check(await start(), change)).status).toBe(200);
});

test.each([
  { address: 'a'.repeat(41) },
  { zip: 100_000 },
  { zip: -1 },
  { zip: 1.5 },
  { zip: '62701' },
  { dobMonth: 100 },
  { dobMonth: 13 },
  { dobDay: 32 },
  { dobYear: 198 },
  { dobYear: 19_800 },
  { ssn: 1_000_000_000 },
  { ssnLast4: 10_000 },
  { ssn: -123_456_789 },
])('%j is refused', async (change) => {
  const client = await start();
  const before = client.sandbox.state();
  const { status, body } = await check(client, change);
  expect(status).toBe(400);
  expect(body.fieldName).toBe(Object.keys(change)[0]);
  expect(client.sandbox.state()).toEqual(before);
});

test('each required member is missed, and so is the body', async () => {
  const client = await start();
  for (const name of ['firstName', 'lastName', 'address', 'zip', 'dobMonth', 'dobYear', 'dobDay', 'city', 'state']) {
    expect((await check(client, { [name]: undefined })).body, name).toMatchObject({
      errorCode: 'missing-member',
      fieldName: name,
    });
  }
  expect((await client.portal('POST', 'getCIPCheck')).status).toBe(400);
  expect((await client.portal('POST', 'getCIPCheck', {}, '')).status).toBe(400);
});
