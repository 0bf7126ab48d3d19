import { afterAll, afterEach, beforeAll } from 'vitest';
import { createPerFileServer } from './per-file.ts';
import type { UseTestServerOptions } from './per-file.ts';
import type { TestServer } from './server/start.ts';

export type { UseTestServerOptions } from './per-file.ts';

/** A server for the tests of this file or `describe`. It is reset before each test and closed after the last one. */
export function useTestServer(options: UseTestServerOptions = {}): TestServer {
  return createPerFileServer(options, { beforeAll, afterEach, afterAll });
}
