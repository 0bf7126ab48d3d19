import { startTestServer } from './server/start.ts';
import type { TestServer } from './server/start.ts';
import type { TestServerOptions } from './server/options.ts';

export interface UseTestServerOptions extends TestServerOptions {
  /**
   * What fails a test at its end. `unmatched`: requests that matched no rule; `all`: also unused rules and faults; `nothing`: none of these. Default
   * `unmatched`.
   */
  readonly expect?: 'unmatched' | 'all' | 'nothing';
}

/** The hooks of a test runner. */
export interface Hooks {
  readonly beforeAll: (run: () => Promise<void>) => void;
  readonly afterEach: (run: () => Promise<void>) => void;
  readonly afterAll: (run: () => Promise<void>) => void;
}

/** A server for a file or a `describe`: started before its tests, reset before each of them, closed after them. */
export function createPerFileServer(
  options: UseTestServerOptions,
  { beforeAll, afterEach, afterAll }: Hooks,
): TestServer {
  const { expect = 'unmatched', ...init } = options;
  let started: TestServer | undefined;
  const server = (): TestServer => {
    if (!started) throw new Error('the test server starts before the tests: use it only within tests');
    return started;
  };
  beforeAll(async () => {
    started = await startTestServer(init);
  });
  afterEach(async () => {
    // The start has failed and was reported.
    if (!started) return;
    const current = started;
    try {
      if (expect === 'all') current.assertAllUsed();
      else if (expect === 'unmatched') current.assertAllMatched();
    } finally {
      await current.reset();
    }
  });
  afterAll(async () => {
    await started?.close();
  });
  return {
    get baseURL() {
      return server().baseURL;
    },
    get apiKey() {
      return server().apiKey;
    },
    get fetch() {
      return server().fetch;
    },
    get requests() {
      return server().requests;
    },
    get unmatched() {
      return server().unmatched;
    },
    reply: (...rules) => server().reply(...rules),
    moderate: (...rules) => server().moderate(...rules),
    video: (...rules) => server().video(...rules),
    fault: (...faults) => server().fault(...faults),
    assertAllMatched: () => server().assertAllMatched(),
    assertAllUsed: () => server().assertAllUsed(),
    reset: () => server().reset(),
    close: () => server().close(),
    [Symbol.asyncDispose]: () => server().close(),
  };
}
