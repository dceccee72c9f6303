/** Worker process: proves the faults and packs of variants that its parent sends, one after the other. */
import { faults } from '../faults/index.ts';
import { operatorFaults } from '../operators/index.ts';
import { proveOperator, type TargetName } from '../operators/prove.ts';
import { faults as secondFaults } from '../second-target/faults.ts';
import { variants } from '../variants/index.ts';
import { answerParent } from './pool.ts';
import { type FaultProof, proveFault, proveSecondFault, proveVariants, type VariantProof } from './prove.ts';

/** A proof to make. */
export type Task =
  | { kind: 'fault'; name: string; whole: boolean; recording?: boolean }
  | { kind: 'second'; name: string; recording?: boolean }
  | { kind: 'operator'; name: string; target: TargetName }
  | { kind: 'variants'; name: string; names: string[] };
/** The result of a task; `absent` when a target cannot have the fault, `broke` when the suite itself failed. */
export type Proof =
  | { kind: 'fault'; whole: boolean; proof: FaultProof }
  | { kind: 'absent' }
  | { kind: 'variants'; proofs: VariantProof[] }
  | { kind: 'broke'; name: string; message: string };

answerParent(async (task: Task): Promise<Proof> => {
  try {
    if (task.kind === 'fault') {
      const { name, whole } = task;
      return { kind: 'fault', whole, proof: await proveFault(faults.find((fault) => fault.name === name)!, task) };
    }
    if (task.kind === 'second') {
      const fault = secondFaults.find(({ id }) => id === task.name)!;
      return { kind: 'fault', whole: false, proof: await proveSecondFault(fault, task) };
    }
    if (task.kind === 'operator') {
      const proof = await proveOperator(task.target, operatorFaults.find(({ name }) => name === task.name)!);
      return proof ? { kind: 'fault', whole: false, proof } : { kind: 'absent' };
    }
    const pack = task.names.map((wanted) => variants.find(({ name }) => name === wanted)!);
    return { kind: 'variants', proofs: await proveVariants(pack) };
  } catch (error) {
    return { kind: 'broke', name: task.name, message: (error as Error).message };
  }
});
