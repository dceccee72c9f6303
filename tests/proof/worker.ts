/** A process that proves one fault or variant after the other, as its parent asks. */
import { faults } from '../faults/index.ts';
import { variants } from '../variants/index.ts';
import { type FaultProof, proveFault, proveVariant, type VariantProof } from './prove.ts';

/** What a worker is asked to prove. */
export type Task = { kind: 'fault'; name: string; whole: boolean } | { kind: 'variant'; name: string };
/** What came of it; `broke` when the suite itself broke. */
export type Proof =
  | { kind: 'fault'; whole: boolean; proof: FaultProof }
  | { kind: 'variant'; proof: VariantProof }
  | { kind: 'broke'; name: string; message: string };

async function prove(task: Task): Promise<Proof> {
  try {
    if (task.kind === 'fault') {
      const { name, whole } = task;
      return { kind: 'fault', whole, proof: await proveFault(faults.find((fault) => fault.name === name)!, whole) };
    }
    return { kind: 'variant', proof: await proveVariant(variants.find(({ name }) => name === task.name)!) };
  } catch (error) {
    return { kind: 'broke', name: task.name, message: (error as Error).message };
  }
}

process.on('message', async (task: Task) => {
  process.send!(await prove(task));
});
process.on('disconnect', () => process.exit());
