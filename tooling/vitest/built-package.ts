import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

export interface BuiltPackage {
  /** With the modules as JavaScript, until the test has finished. */
  readonly folder: string;
  /** Runs a module in a process of its own. */
  run(script: string): Promise<{ readonly stdout: string; readonly stderr: string }>;
}

/** Compiles the package of a test in `src`, whose `import.meta.url` is `testUrl`. */
export async function buildPackage(testUrl: string): Promise<BuiltPackage> {
  const root = fileURLToPath(new URL('..', testUrl));
  // Inside the package, so that its dependencies can be resolved.
  const folder = `${root}node_modules/.built-for-test`;
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // The `exports` of TypeScript 7 do not include `bin/tsc`.
  const typescript = createRequire(testUrl).resolve('typescript/package.json');
  const tsc = join(dirname(typescript), 'bin/tsc');
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', folder], { cwd: root });
  return { folder, run: (script) => run(process.execPath, ['--input-type=module', '--eval', script]) };
}
