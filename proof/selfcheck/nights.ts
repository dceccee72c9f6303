/** Rows of nights: runs one after the other, each of which chooses by what those before it tried, as with one history. */
import { digested, type Past } from '../../contracts/past.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { Conducted } from './unwritten-run.ts';

/** Sets up the run of a night. */
type Configure = (configuration: Configuration) => void;

/**
 * Carries out a night after another, with one seed after the other.
 * @param seed of the first night
 * @param conduct carries out the run of a night, counted from 1, as `configure` sets it up
 */
export async function conductNights(
  nights: number,
  seed: number,
  conduct: (night: number, configure: Configure) => Promise<Conducted>,
): Promise<Conducted[]> {
  const all: Conducted[] = [];
  let past: Past = [];
  for (let night = 1; night <= nights; night++) {
    const conducted = await conduct(night, ({ run }) => Object.assign(run, { seed: seed + night - 1, past }));
    past = [conducted.run.facts().rotated.map(digested), ...past];
    all.push(conducted);
  }
  return all;
}
