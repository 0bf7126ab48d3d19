import { loadReplies } from './replies-file.ts';
import { startTestServer } from './server/start.ts';
import type { TestServer } from './server/start.ts';

export interface ServeRepliesOptions {
  /** A file of YAML or JSON. */
  readonly repliesFile: string;
  /** Default 0: one that is free. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** The key that callers send. Default `test-key`. */
  readonly apiKey?: string;
}

/**
 * Serves a file of replies, for clients in any language: what `modelwire mock` does.
 *
 * @throws {ScriptError} that says what is wrong with the file, each with its line.
 */
export async function serveReplies({ repliesFile, ...options }: ServeRepliesOptions): Promise<TestServer> {
  return startTestServer({ ...options, ...(await loadReplies(repliesFile)) });
}
