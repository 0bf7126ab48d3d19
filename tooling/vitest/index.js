import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import FailedTestsReporter from './failed-tests.js';
import SkippedTestsReporter from './skipped-tests.js';

/** Tests that take minutes, or need programs that npm does not ship, have this ending, and run by `npm run test:system` alone. */
export const systemTests = '**/*.system.test.ts';

/** The preset of every package: tests sit beside the code, run from source, and need nothing but Node, npm, git and a shell. */
const preset = defineConfig({
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
    // Several packages are tested at the same time on machines with two cores. Long timeouts do not slow down tests that pass.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A test without an expectation cannot fail. Types alone are tested in `*.test-d.ts`, which `tsc` checks.
    expect: { requireAssertions: true, poll: { timeout: 200_000 } },
    // A test that leaves a rejection behind is a broken test.
    dangerouslyIgnoreUnhandledErrors: false,
  },
});

export default preset;

/** The preset with a process for each of these files, which mock modules that others need as they are. */
export function isolating(/** @type {readonly string[]} */ ...files) {
  const { reporters, maxWorkers, ...each } = preset.test ?? {};
  const shared = { test: { ...each, name: 'shared', exclude: [...(each.exclude ?? []), ...files] } };
  const isolated = { test: { ...each, name: 'isolated', include: files, isolate: true } };
  return defineConfig({ test: { reporters, maxWorkers, projects: [shared, isolated] } });
}
