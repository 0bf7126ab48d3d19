import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from '@modelwire/schema';
import type { Endpoint } from '@modelwire/schema';
import * as routes from '@modelwire/schema/routes';
import { expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../../', import.meta.url));
const clients = ['batches', 'chat', 'client', 'files', 'models', 'moderations', 'responses', 'uploads', 'videos'];

/** The source code of every client. */
function sources(): string {
  const files = clients.flatMap((name) => {
    const folder = join(packages, name, 'src');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  });
  const code = files.filter((file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$|\/testing\//.test(file));
  return code.map((file) => readFileSync(file, 'utf8')).join('\n');
}

// The clients of a dialect are those of its provider.
test('a client requests every endpoint', () => {
  const requested = new Set(sources().match(/\w+/g));
  const dialects = new Set(
    Object.values<Endpoint>(contract).flatMap(({ dialect, route }) => (dialect === undefined ? [] : [route])),
  );
  const missing = Object.entries(routes).filter(([name, route]) => !requested.has(name) && !dialects.has(route));
  expect(missing.map(([name]) => name)).toEqual([]);
});
