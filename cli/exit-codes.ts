/** Exit codes of the subcommands. */

/** The command did its work and found a problem. */
export const EXIT_FINDING = 1;
/** The command could not do its work. */
export const EXIT_CANNOT = 2;
/** Ended by SIGINT, SIGTERM or SIGHUP. */
export const EXIT_INTERRUPTED = 130;
