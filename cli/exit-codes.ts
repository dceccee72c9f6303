/** Exit codes of the subcommands. */

export const EXIT_FINDING = 1;
/** The command could not do its work. */
export const EXIT_CANNOT = 2;
export const EXIT_INTERRUPTED = 130;
