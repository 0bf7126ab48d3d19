/** What a script may rely on. The README's table is held against this one by a test. */
export const EXIT = {
  ok: 0,
  /** Something nobody foresaw. */
  failure: 1,
  /** The command line is not right. Nothing was sent. */
  usage: 2,
  /** The configuration is not right: a broken file, no such profile. Nothing was sent. */
  config: 3,
  /** The server cannot be reached, or does not answer in time. */
  connection: 4,
  /** 401 and 403. */
  key: 5,
  /** 404. */
  notFound: 6,
  /** The server refused the request: 400, 409, 413, 422. */
  refused: 7,
  /** 429, after all retries. */
  rateLimited: 8,
  /** 5xx, an answer that is not of the interface, or a stream that broke. */
  server: 9,
  /** The work was done and came out badly: a failed batch or video, a flagged input with --fail, a check of doctor. */
  bad: 10,
  interrupted: 130,
  /** Whoever read the output has left, as `head` does. */
  brokenPipe: 141,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
