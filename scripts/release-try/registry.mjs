// A registry of our own on this machine: verdaccio, installed beside the lockfile, that knows our scope and nothing else.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, npm, start, until } from './processes.mjs';

// Pinned: one of its dependencies asks for a dist-tag of node-fetch that not every mirror has, so that is pinned too.
const manifest = { private: true, dependencies: { verdaccio: '6.8.0' }, overrides: { 'node-fetch': '2.7.0' } };

/** Starts it in `folder`; gives its URL, the lines of an .npmrc that may publish there, and how to end it. */
export async function startRegistry(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], folder);
  const config = {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    uplinks: {},
    packages: { '@modelwire/*': { access: '$all', publish: '$authenticated' } },
    web: { enable: false },
    // Tarballs of ours are small, but for the page of the reference.
    max_body_size: '100mb',
    log: { type: 'stdout', format: 'json', level: 'warn' },
  };
  // YAML is a superset of JSON.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const bin = join(folder, 'node_modules/verdaccio/bin/verdaccio');
  const stop = start(
    process.execPath,
    [bin, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    {
      cwd: folder,
      log: join(folder, 'verdaccio.log'),
    },
  );
  await until(async () => (await fetch(`${url}-/ping`)).ok, 'verdaccio did not answer');
  const user = { name: 'release', password: 'release-try' };
  const made = await fetch(`${url}-/user/org.couchdb.user:release`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  const { token } = await made.json();
  if (!token) throw new Error(`verdaccio made no user: ${made.status}`);
  const npmrc = `@modelwire:registry=${url}\n//127.0.0.1:${port}/:_authToken=${token}\n`;
  return { url, npmrc, stop };
}
