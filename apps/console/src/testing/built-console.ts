import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = new URL('../../../../scripts/build-console.mjs', import.meta.url).href;

/** Builds the console if its source is newer than the built files, as `npm start` does. */
export function buildConsole(): void {
  const code = `const { buildConsole } = await import(${JSON.stringify(script)}); buildConsole();`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}
