// The script of the API reference is part of the repository, so that neither `npm start` nor the published package installs Scalar. Copies it
// from Scalar's plugin for Fastify, which contains it and is much smaller than `@scalar/api-reference`. `--check` fails if the two differ.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import plugin from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const folder = fileURLToPath(new URL('../built/', import.meta.url));
const script = join(folder, 'scalar.js');

const app = fastify();
await app.register(plugin, { configuration: { url: '/openapi.json' } });
const { body } = await app.inject('/reference/js/scalar.js');

if (!process.argv.includes('--check')) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(script, body);
  const main = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  copyFileSync(join(dirname(main), '../LICENSE'), join(folder, 'LICENSE'));
} else if (readFileSync(script, 'utf8') !== body) {
  process.stderr.write(
    'The script of the API reference is of another version. Run `node packages/server/scripts/reference.mjs` and commit packages/server/built.\n',
  );
  process.exit(1);
}
