/** Subcommands in this process, for what they do and print: what makes them a process is tested elsewhere. */
import { vi } from 'vitest';
import type { Program } from '../../cli/command.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a subcommand. One at a time: what is printed meanwhile is taken for its own.
 * @param environment all that it finds there, beside PATH
 * @param directory that it is called in
 */
export async function inProcess(
  program: Program,
  args: readonly string[],
  environment: Record<string, string> = {},
  directory = process.cwd(),
): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof printed, end: string) => (text: unknown) => {
    printed[stream] += `${text}${end}`;
    return true;
  };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(into('stdout', '\n')),
    vi.spyOn(console, 'error').mockImplementation(into('stderr', '\n')),
    vi.spyOn(process.stdout, 'write').mockImplementation(into('stdout', '')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('stderr', '')),
  ];
  const before = { env: process.env, directory: process.cwd() };
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  process.env = { PATH, NODE_COMPILE_CACHE, ...environment };
  process.chdir(directory);
  try {
    const code = await program(args);
    return { code, ...printed };
  } finally {
    process.env = before.env;
    process.chdir(before.directory);
    for (const spy of spies) spy.mockRestore();
  }
}
