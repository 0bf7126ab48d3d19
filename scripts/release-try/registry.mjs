// A registry on this machine, for the packages of the workspace only: verdaccio, installed without the lockfile.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, npm, start, until } from './processes.mjs';

// node-fetch is pinned because a dependency uses one of its dist-tags, which some mirrors do not have.
const manifest = { private: true, dependencies: { verdaccio: '6.8.0' }, overrides: { 'node-fetch': '2.7.0' } };

/** Starts it in `folder`. Returns its URL, an .npmrc with the right to publish, and a function that stops it. */
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
    // The tarball with the API reference is larger than the default limit.
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
  await until(async () => (await fetch(`${url}-/ping`)).ok, 'verdaccio did not reply');
  const user = { name: 'release', password: 'release-try' };
  const made = await fetch(`${url}-/user/org.couchdb.user:release`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  const { token } = await made.json();
  if (!token) throw new Error(`verdaccio did not create a user: ${made.status}`);
  const npmrc = `@modelwire:registry=${url}\n//127.0.0.1:${port}/:_authToken=${token}\n`;
  return { url, npmrc, stop };
}
