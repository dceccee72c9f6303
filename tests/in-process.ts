/** Subcommands in this process, for what they do and print: what makes them a process is tested elsewhere. */
import { vi } from 'vitest';
import type { Program } from '../cli/command.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a subcommand with variables beside those of this process. One at a time: what is printed meanwhile is taken for its own. */
export async function inProcess(
  program: Program,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof printed, end: string) => (text: unknown) => {
    printed[stream] += `${text}${end}`;
    return true;
  };
  for (const [name, value] of Object.entries({ NO_COLOR: '1', GITHUB_STEP_SUMMARY: '', ...environment }))
    vi.stubEnv(name, value);
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(into('stdout', '\n')),
    vi.spyOn(console, 'error').mockImplementation(into('stderr', '\n')),
    vi.spyOn(process.stdout, 'write').mockImplementation(into('stdout', '')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('stderr', '')),
  ];
  try {
    const code = await program(args);
    return { code, ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}
