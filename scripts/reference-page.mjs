// Opens the API reference of a running server in a browser and checks that it shows the endpoints and how to call them, and that it does
// nothing that its content security policy forbids. Needs Chromium.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'modelwire-page-'));
const server = spawn(process.execPath, [main], {
  cwd,
  env: { ...process.env, PORT: '0', MODELWIRE_LOG_LEVEL: 'silent' },
  stdio: ['ignore', 'pipe', 'inherit'],
});

function stop(message, code) {
  console.log(message);
  server.kill('SIGKILL');
  rmSync(cwd, { recursive: true, force: true });
  process.exit(code);
}

let out = '';
server.stdout.on('data', (bytes) => {
  out += bytes.toString();
  const url = /reference +(\S+)/.exec(out)?.[1];
  if (url === undefined || !out.includes('curl')) return;
  server.stdout.removeAllListeners('data');
  // Only names of this machine resolve: a page that loads from other hosts would be empty.
  const { stdout, stderr, error } = spawnSync(
    'chromium',
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--virtual-time-budget=10000',
      '--enable-logging=stderr',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      '--dump-dom',
      url,
    ],
    { encoding: 'utf8', timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
  );
  if (error) stop(`Chromium did not run: ${error.message}`, 1);
  const missing = ['/v1/chat/completions', 'conversations', 'Bearer Token', 'curl'].filter(
    (text) => !stdout.includes(text),
  );
  if (missing.length > 0) stop(`the reference page does not show ${missing.join(', ')}`, 1);
  const violation = /.*Content Security Policy.*/.exec(stderr)?.[0];
  if (violation) stop(violation, 1);
  stop('the reference page shows its endpoints in a browser', 0);
});
server.once('close', (code) => stop(`the server exited (${code}): ${out}`, 1));
