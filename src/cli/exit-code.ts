/** What a shell learns of a command. Written down for users in `docs/cli.md`. */
export const EXIT_CODES = {
  done: 0,
  /** The Worker refused the request. */
  refused: 1,
  /** The command line cannot be used. */
  usage: 2,
  /** The execution ended so. */
  failed: 3,
  cancelled: 4,
  /** The execution has not ended in the time that was given; it goes on. */
  notEnded: 5,
  /** No answer came. */
  unreachable: 6,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
