import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';

/** Serves HTTP until the end of the test. Resolves to the host, `127.0.0.1:<port>`. */
export function serveHttp(listener: RequestListener): Promise<string> {
  return listenForTest(createServer(listener));
}
