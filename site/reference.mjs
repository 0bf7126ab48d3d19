// The API reference of a server with its defaults, as files of the site.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url));
const files = ['/docs', '/docs/start.js', '/docs/scalar.js', '/openapi.json'];

export async function writeReference(dist, base) {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-site-'));
  const server = spawn(process.execPath, [main], {
    cwd,
    env: { ...process.env, PORT: '0', MODELWIRE_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const origin = await startedAt(server);
    mkdirSync(join(dist, 'docs'), { recursive: true });
    for (const path of files) {
      const response = await fetch(`${origin}${path}`);
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      const text = await response.text();
      writeFileSync(
        join(dist, path === '/docs' ? 'docs/index.html' : path),
        path.endsWith('scalar.js') ? text : relocated(text, base),
      );
    }
  } finally {
    server.kill('SIGKILL');
    rmSync(cwd, { recursive: true, force: true });
  }
}

async function startedAt(server) {
  let out = '';
  for await (const bytes of server.stdout.iterator({ destroyOnReturn: false })) {
    out += bytes.toString();
    const url = /reference +(\S+)\/docs/.exec(out)?.[1];
    if (url) return url;
  }
  throw new Error(`The server did not start: ${out}`);
}

/** Requests go to a server on the reader's machine. */
function relocated(text, base) {
  return text
    .replace(/"servers":\[.*?\]/, '"servers":[{"url":"http://127.0.0.1:8787"}]')
    .replaceAll(/(["'])\/(docs\/|openapi\.json)/g, `$1${base}$2`);
}
