/** Targets that give back what they are sent: a sandbox whose every secret is known, and runs that have every kind of secret. */
import { expect, test } from 'vitest';
import { type Ended, everythingOf, readConformance, startRun } from '../../../proof/hostile/run.ts';
import { type Behaviour, type Forwarded, hostileTarget, reply } from '../../../proof/hostile/target.ts';
import { promise } from '../../docs/security/promises.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { alsoEchoing, echoing } from './echoes.ts';
import { type Canary, canariesIn } from './search.ts';

const CREDENTIALS = {
  clientSecret: 'canary-client+secret&x=%41"\\/<ü>7Yq',
  loginId: 'canary.login+7311@partner.invalid',
  password: 'canary pass+word&"7Zr%42\\',
  restrictedLoginId: 'canary.clerk+9133@partner.invalid',
  restrictedPassword: 'canary clerk&word<5Tu>%43',
};
const HEADERS = { 'X-Subscription-Key': 'canary-subscription-8c41e0', 'X-Short': 'k7#q' };
/** Text of the target's own that must not be kept: what it is called says so. */
const PLANTED = {
  cardNumber: '4539578763621486',
  encryptedPayload: 'canary/encrypted+payload/0a9b8c7d6e==',
  ftpPassword: 'canary-ftp-5501-password',
  personal: 'Canaryfirst Canarylast',
};

/**
 * A sandbox whose every secret is known.
 * @param behaviour how all answers but those of token and login are given
 */
async function canaryTarget(behaviour: Behaviour) {
  const given = new Map<string, string>();
  const target = await hostileTarget(
    async (call) => {
      const isProduct = /oauth2|\/login|\/temporaryToken|createToken/i.test(call.request.url ?? '');
      if (!isProduct) return behaviour({ ...call, forward: async () => planted(await call.forward()) });
      const answer = await call.forward();
      for (const [, name, value] of answer.body.toString().matchAll(/"(access_token|sessionId|token)":"([^"]+)"/g))
        given.set(value!, name!);
      const echo = `${call.request.url} ${call.body}`;
      const headers = { ...answer.headers, 'x-request': encodeURI(echo) };
      const text = answer.body.toString().replace(/^\{/, `{"debugging":${JSON.stringify(echo)},`);
      reply(call.response, { ...answer, headers, body: Buffer.from(text) });
    },
    'all',
    { credentials: CREDENTIALS },
  );
  target.environment.TARGET_HEADERS = JSON.stringify(HEADERS);
  const { cip } = target.sandbox.fixtures.portal as { cip: { pass: { ssn: number; ssnLast4: number } } };
  const constant: Canary[] = [
    ...Object.entries({ ...CREDENTIALS, ...PLANTED }).map(([name, value]) => ({ name, value })),
    { name: 'a header', value: HEADERS['X-Subscription-Key'] },
    { name: 'a short header', value: HEADERS['X-Short'] },
    { name: 'ssn', value: String(cip.pass.ssn) },
    { name: 'ssnLast4', value: `"ssnLast4":${cip.pass.ssnLast4}` },
    { name: 'pin', value: '"pin":"4827"' },
  ];
  /** Every secret that there is by now, those included that the target has given out. */
  const canaries = () => [...constant, ...Array.from(given, ([value, name]) => ({ name, value }))];
  /** What of them got into anything that a run wrote or printed. */
  const leaks = (ended: Ended): string[] => {
    const places = [...everythingOf(ended)];
    const found = places.flatMap(([place, text]) => canariesIn(text, canaries()).map((one) => `${place}: ${one}`));
    const attempts = places.length * canaries().length;
    promise('secrets in a run', `${expect.getState().currentTestName}`, { attempts, held: attempts - found.length });
    return found;
  };
  return { ...target, canaries, leaks };
}

/** The answer with what must not be kept in it. */
function planted(answer: Forwarded): Forwarded {
  const { cardNumber, encryptedPayload, ftpPassword, personal } = PLANTED;
  const person = `"firstName":"${personal}","cardNumber":"${cardNumber}","ftpPassword":"${ftpPassword}"`;
  const text = answer.body.toString().replace(/"firstName":"[^"]*"/g, person);
  const payload = `"encryptedPayload":"${encryptedPayload}"`;
  return { ...answer, body: Buffer.from(text.replace(/"encryptedPayload":"[^"]*"/g, payload)) };
}

test('a target that answers nothing but what it was sent, in every place of an answer', async () => {
  const target = await canaryTarget(echoing);
  const ended = await startRun(target.environment).ended;
  expect(target.leaks(ended)).toEqual([]);
  expect(readConformance(ended.reports).run.requests).toBeGreaterThan(100);
});

test('a target that gives back its own answers and every request beside them', async () => {
  const target = await canaryTarget(alsoEchoing);
  const ended = await runHere(target.environment);
  expect(target.leaks(ended)).toEqual([]);
  expect(target.canaries().length).toBeGreaterThan(15);
  expect(readConformance(ended.reports).run.requests, ended.stdout + ended.stderr).toBeGreaterThan(500);
  const exchanges = everythingOf(ended).get('exchanges.ndjson')!;
  for (const marker of ['CLIENT_SECRET', 'ACCESS_TOKEN', 'SESSION_ID', 'ENCRYPTED_PAYLOAD', 'PASSWORD'])
    expect(exchanges).toContain(`<REDACTED_${marker}>`);
  expect(exchanges.replaceAll('\\"', '"')).toContain('"pin":"<REDACTED_PIN>"');
});
