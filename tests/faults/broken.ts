/** Short ways to write a fault. */
import type { AnswerContext, AnswerFilter, SandboxOptions } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { Fault } from './fault.ts';

/** A fault of some rules. */
export const broken = (name: string, condemns: string | readonly string[], rules: Partial<Rules>): Fault => ({
  name,
  condemns: [condemns].flat(),
  sandbox: { rules },
});

/** Successes of one operation, changed. */
export const answering = (
  operation: string,
  change: (body: Record<string, unknown>, context: AnswerContext) => void,
): SandboxOptions => {
  const filter: AnswerFilter = (answer, context) => {
    if (context.operation === operation && answer.status < 300) change(answer.body as Record<string, unknown>, context);
    return undefined;
  };
  return { middleware: [filter] };
};
