import { type Diagnosis, examine } from '../../doctor/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';

/** What the doctor says of a target with this environment. */
export async function diagnose(env: Record<string, string>): Promise<Diagnosis> {
  return examine(await readConfiguration({ env, options: {}, cwd: temporaryDirectory() }));
}

/** The faults of a diagnosis, each with its advice. */
export const faultsOf = ({ sections }: Diagnosis): string[] =>
  sections
    .flatMap(({ remarks }) => remarks)
    .filter(({ kind }) => kind === 'fault')
    .map(({ text, advice }) => `${text} → ${advice}`);

/** Everything that a diagnosis says, a remark a line. */
export const linesOf = ({ sections }: Diagnosis): string[] =>
  sections.flatMap(({ remarks }) => remarks).map(({ kind, text, advice }) => `${kind}: ${text} → ${advice ?? ''}`);
