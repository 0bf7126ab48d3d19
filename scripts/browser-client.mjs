// Runs the client package in a browser, on a page of another origin than the server's. Needs Chromium.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const { build } = createRequire(path('../tooling/vitest/package.json'))('esbuild');
const key = 'browser-test-key';

/** The script of the page: reads every kind of response. */
const page = (baseURL) => `
  import { Modelwire, NotFoundError } from '@modelwire/client';
  const client = new Modelwire({ apiKey: ${JSON.stringify(key)}, baseURL: ${JSON.stringify(baseURL)}, maxRetries: 0 });
  const messages = [{ role: 'user', content: 'Tell me about rivers.' }];
  const results = {};
  async function run() {
    const whole = await client.chat.completions
      .create({ model: 'simulator', messages }, { idempotencyKey: 'page-1' })
      .withResponse();
    results.whole = whole.data.choices[0].message.content.length > 0;
    results.requestId = whole.response.headers.get('x-request-id')?.startsWith('req_') ?? false;
    const stream = client.chat.completions.stream({ model: 'simulator', messages });
    let pieces = 0;
    for await (const piece of stream.text()) pieces += piece === '' ? 0 : 1;
    results.stream = pieces > 1;
    results.models = (await client.models.list()).data.length > 0;
    const file = await client.files.create({ file: new File(['{}'], 'a.jsonl'), purpose: 'batch' });
    results.file = (await client.files.delete(file.id)).deleted;
    results.error = await client.models.retrieve('nothing').then(
      () => false,
      (error) => error instanceof NotFoundError && error.requestId.startsWith('req_'),
    );
  }
  run()
    .catch((error) => void (results.failure = String(error)))
    .then(() => fetch('/results', { method: 'POST', body: JSON.stringify(results) }));
`;

async function bundled(contents) {
  const resolveDir = path('../packages/client');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    alias: { '@modelwire/client': path('../packages/client/src/index.ts') },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
  });
  return outputFiles[0].text;
}

/** Serves the page, whose origin differs from the server's by its port, and receives the results of the page. */
async function servePage(script) {
  const results = Promise.withResolvers();
  const http = createServer(async (request, response) => {
    if (request.method === 'POST') {
      results.resolve(JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()));
      response.end();
      return;
    }
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script() : '<!doctype html><body><script type="module" src="/page.js"></script></body>');
  });
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${http.address().port}`,
    results: results.promise,
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
}

/** Opens the page in Chromium until it has sent its results. */
async function resultsOf({ origin, results }, profile) {
  const chromium = spawn(
    'chromium',
    ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, '--remote-debugging-port=0', origin],
    { stdio: 'ignore', timeout: 60_000 },
  );
  const ended = new Promise((resolve) => chromium.once('close', resolve));
  try {
    return await Promise.race([
      results,
      ended.then(() => {
        throw new Error('Chromium exited before the page sent its results');
      }),
    ]);
  } finally {
    chromium.kill('SIGTERM');
    await ended;
  }
}

async function startServer(cwd) {
  const server = spawn(process.execPath, [path('../apps/server/src/main.ts')], {
    cwd,
    env: { ...process.env, PORT: '0', MODELWIRE_LOG_LEVEL: 'silent', MODELWIRE_API_KEYS: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  const url = await new Promise((resolve, reject) => {
    server.once('close', (code) => reject(new Error(`the server exited (${code}): ${out}`)));
    server.stdout.on('data', (bytes) => {
      out += bytes.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(out)?.[0];
      if (found !== undefined && out.includes('curl')) resolve(found);
    });
  });
  return { url, stop: () => server.kill('SIGKILL') };
}

/** A blocked page also fails if the server has exited: asserts that the server still replies to the allowed origin. */
async function assertServed(url, origin) {
  const response = await fetch(`${url}/models`, { headers: { authorization: `Bearer ${key}`, origin } });
  const allows = response.headers.get('access-control-allow-origin');
  if (response.status !== 200 || allows !== origin) {
    throw new Error(`after the blocked page, the server replied ${response.status} and allowed ${allows} to ${origin}`);
  }
}

if (spawnSync('chromium', ['--version']).error) {
  console.log('Chromium is not installed: the client was not tested in a browser');
  process.exit(1);
}
const cwd = mkdtempSync(join(tmpdir(), 'modelwire-browser-'));
let script = '';
const allowed = await servePage(() => script);
const other = await servePage(() => script);
writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ cors: { origins: [allowed.origin] } }));
const server = await startServer(cwd);
try {
  script = await bundled(page(server.url));
  const seen = await resultsOf(allowed, join(cwd, 'profile-1'));
  const missing = ['whole', 'requestId', 'stream', 'models', 'file', 'error'].filter((name) => seen[name] !== true);
  if (missing.length > 0) throw new Error(`in a browser, ${missing.join(', ')} failed: ${JSON.stringify(seen)}`);
  const blocked = await resultsOf(other, join(cwd, 'profile-2'));
  if (blocked.failure === undefined || blocked.whole !== undefined) {
    throw new Error(`a page of an origin that is not allowed read a response: ${JSON.stringify(blocked)}`);
  }
  await assertServed(server.url, allowed.origin);
  console.log(
    'the client runs in a browser on a page of another origin; pages of origins that are not allowed are blocked',
  );
} finally {
  server.stop();
  allowed.close();
  other.close();
  rmSync(cwd, { recursive: true, force: true });
}
