import { loadReplies } from './replies-file.ts';
import { startTestServer } from './server/start.ts';
import type { TestServer } from './server/start.ts';

export interface ServeRepliesOptions {
  /** A file of YAML or JSON. */
  readonly repliesFile: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** The API key of clients. Default `test-key`. */
  readonly apiKey?: string;
}

/**
 * Serves a file of replies to clients in any language, like `modelwire mock`.
 *
 * @throws {ScriptError} with the problems of the file and their lines.
 */
export async function serveReplies({ repliesFile, ...options }: ServeRepliesOptions): Promise<TestServer> {
  return startTestServer({ ...options, ...(await loadReplies(repliesFile)) });
}
