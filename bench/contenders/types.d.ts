/** The parts of newman that are used; it brings no types. */
declare module 'newman' {
  export interface NewmanRunSummary {
    run: { failures: unknown[]; stats: { requests: { total?: number } } };
  }
  export interface Newman {
    run(
      options: { collection: object; reporters: string[] },
      done: (error: Error | null, summary: NewmanRunSummary) => void,
    ): void;
  }
}
