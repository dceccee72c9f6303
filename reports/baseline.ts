/** Keeps the earlier run that a run is compared with beside the record, since both may use the same directory. */
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { conformance } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { readWholeFile } from '../files/read.ts';
import { makeDirectory, writeWholeFile } from '../files/write.ts';
import { type Earlier, earlierOf } from './compare.ts';
import { CONFORMANCE, RecordError, readRecord } from './record.ts';

/** File name of the earlier run in a report directory. */
const BASELINE = 'baseline.json';

const kept = z.object({
  path: z.string(),
  conformance,
  latencies: z.array(
    z.tuple([z.string(), z.object({ samples: z.int(), median: z.number(), p95: z.number(), maximum: z.number() })]),
  ),
});

/**
 * Keeps an earlier run in a report directory, which may be its own. Without one, or if the directory itself is named
 * and has no record yet, removes what was kept.
 *
 * @throws RecordError when it cannot be read
 */
export function keepBaseline(path: string | undefined, directory: string): void {
  const file = join(directory, BASELINE);
  const isFirst = path !== undefined && resolve(path) === resolve(directory) && !existsSync(join(path, CONFORMANCE));
  if (path === undefined || isFirst) {
    rmSync(file, { force: true });
    return;
  }
  const { latencies, ...earlier } = earlierOf(readRecord(path));
  makeDirectory(directory);
  writeWholeFile(file, `${writeFileJson({ ...earlier, latencies: [...latencies] })}\n`);
}

/**
 * Reads the earlier run kept in a report directory.
 *
 * @throws RecordError when it exists but cannot be read
 */
export function readBaseline(directory: string): Earlier | undefined {
  const file = join(directory, BASELINE);
  if (!existsSync(file)) return undefined;
  try {
    const { latencies, ...earlier } = kept.parse(JSON.parse(readWholeFile(file)));
    return { ...earlier, latencies: new Map(latencies) };
  } catch {
    throw new RecordError(`${file}: not a baseline that a run kept`);
  }
}
