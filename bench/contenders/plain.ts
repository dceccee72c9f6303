/**
 * For orientation: undici alone, eight at a time or as many as the second argument says; parses the body and checks
 * only the status.
 */
import { Pool } from 'undici';
import { urlOf } from '../requests.ts';
import { report, task } from './contender.ts';

const { base, token, requests } = await task();
const connections = Number(process.argv[3] ?? 8);
const pool = new Pool(new URL(base).origin, { connections });

await report(requests.length, async () => {
  const queue = requests.values();
  let good = 0;
  const work = async () => {
    for (const one of queue) {
      const url = new URL(urlOf(base, one));
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: url.pathname + url.search,
        headers: { authorization: `Bearer ${token}` },
      });
      await body.json();
      if (statusCode === 200) good++;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return good;
});
await pool.close();
