import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import FailedTestsReporter from './failed-tests.js';
import SkippedTestsReporter from './skipped-tests.js';

/** Tests that take minutes, or need programs that npm does not ship, have this ending, and run by `npm run test:system` alone. */
export const systemTests = '**/*.system.test.ts';

/** The preset of every package: tests sit beside the code, run from source, and need nothing but Node, npm, git and a shell. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    exclude: ['**/node_modules/**', systemTests],
    reporters: ['default', new SkippedTestsReporter(), new FailedTestsReporter()],
    // The files of a package share the modules that they import, which takes half of the time of separate ones.
    isolate: false,
    // Threads and processes that tests start compile the modules of a package once, which takes half of the time of their start.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)) },
    setupFiles: [fileURLToPath(new URL('./no-leaks.js', import.meta.url))],
    maxWorkers: 2,
    // Several packages are tested at once on machines of two cores: patience costs nothing where all is well.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A test without an expectation cannot fail. Types alone are tested in `*.test-d.ts`, which `tsc` checks.
    expect: { requireAssertions: true, poll: { timeout: 200_000 } },
    // A test that leaves a rejection behind is a broken test.
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
