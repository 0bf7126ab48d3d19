/** Exit codes that scripts can rely on. A test compares them with the table in the README. */
export const EXIT = {
  ok: 0,
  /** Unexpected error, or a full disk. */
  failure: 1,
  /** Invalid command line. Nothing was sent. */
  usage: 2,
  /** Invalid configuration, unknown profile, or a required package is not installed. Nothing was sent. */
  config: 3,
  /** The server cannot be reached, or does not respond in time. */
  connection: 4,
  /** 401 and 403. */
  unauthorized: 5,
  /** 404. */
  notFound: 6,
  /** The server rejected the request: 400, 409, 413, 422. */
  rejected: 7,
  /** 429, after all retries. */
  rateLimited: 8,
  /** 5xx, an invalid response, or an interrupted stream. */
  server: 9,
  /** The command ran, and its result is negative: a failed batch or video, a flagged input with --fail, a failed check. */
  unsuccessful: 10,
  interrupted: 130,
  /** The reader of the output exited early, as `head` does. */
  brokenPipe: 141,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
