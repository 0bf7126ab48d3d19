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
  const version = run('chromium', ['--version']).trim().split('\n').at(-1);
  const log = join(folder, 'page.log');
  const stopPage = start(process.execPath, ['page.mjs', server.url, server.key], { cwd: folder, log });
  let stopBrowser;
  try {
    const url = await printed(log, /page (\S+)/);
    // Only names of this machine resolve. A browser with a debugging port stays open until it is stopped.
    const args = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, 'chromium')}`];
    const rules = ['--remote-debugging-port=0', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];
    stopBrowser = start('chromium', [...args, ...rules, url], { cwd: folder, log: join(folder, 'chromium.log') });
    const state = await printed(log, /^state (.*)$/m);
    if (!state.startsWith('finished, whole')) throw new Error(`the page shows: ${state}`);
    return `${state}; ${version}`;
  } finally {
    await stopBrowser?.();
    await stopPage();
  }
}
