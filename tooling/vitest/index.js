import { defineConfig } from 'vitest/config';

/** The preset of every package: tests sit beside the code and run from source. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    reporters: ['default'],
    testTimeout: 15_000,
    hookTimeout: 30_000,
    // A test that leaves a rejection behind is a broken test.
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
