// A page with the bundled client, opened in Chromium if it is installed.
import { join } from 'node:path';
import { printed, run } from './processes.mjs';

export async function inBrowser({ folder, toolFolder, server, start }) {
  const esbuild = join(toolFolder, 'node_modules/esbuild/bin/esbuild');
  run(
    esbuild,
    ['browser.mjs', '--bundle', '--format=esm', '--platform=browser', '--outfile=app.js', '--log-level=error'],
    {
      cwd: folder,
    },
  );
  const log = join(folder, 'page.log');
  const stop = start(process.execPath, ['page.mjs', server.url, server.key], { cwd: folder, log });
  try {
    const url = await printed(log, /page (\S+)/);
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=20000', '--dump-dom'];
    // Only names of this machine resolve.
    const shown = run('chromium', [...args, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', url], {
      timeout: 120_000,
    });
    const state = /<p id="state">([^<]*)/.exec(shown)?.[1] ?? 'no page';
    const said = /<p id="said">([^<]*)/.exec(shown)?.[1] ?? '';
    if (!state.startsWith('finished, whole') || said === '') throw new Error(`the page shows: ${state}`);
    return `${state}; ${run('chromium', ['--version']).trim().split('\n').at(-1)}`;
  } finally {
    await stop();
  }
}
