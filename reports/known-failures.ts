/** Drafts a list of known failures from a run. */
import { stringify } from 'yaml';
import type { Conformance } from '../contracts/record.ts';

/**
 * The failing musts of a run as a YAML list for `RUN_KNOWN_FAILURES`. Reasons, links and dates known to the run are
 * kept; the others must be filled in.
 */
export function knownFailuresYaml({ requirements }: Pick<Conformance, 'requirements'>): string {
  const list = requirements
    .filter(({ inScope, level, verdict }) => inScope && level === 'must' && verdict === 'failed')
    .map(({ id, text, known }) => ({
      id,
      reason: known?.reason ?? `to be explained: ${text}`,
      ...(known?.link && { link: known.link }),
      ...(known?.expires && { expires: known.expires }),
    }));
  return stringify(list, { lineWidth: 0 });
}
