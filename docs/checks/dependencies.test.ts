import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Manifest = Readonly<{
  name: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}>;

const root = new URL('../../', import.meta.url);
const manifests = ['apps', 'packages'].flatMap((folder) =>
  readdirSync(new URL(folder, root)).map(
    (name) => JSON.parse(readFileSync(new URL(`${folder}/${name}/package.json`, root), 'utf8')) as Manifest,
  ),
);

/** The packages of others that a package of this repository needs, also by those that it depends on. */
function dependenciesOf(name: string, seen = new Set<string>()): ReadonlySet<string> {
  const manifest = manifests.find((each) => each.name === name);
  if (seen.has(name)) return seen;
  seen.add(name);
  const needed = { ...manifest?.dependencies, ...manifest?.optionalDependencies };
  for (const each of Object.keys({ ...needed, ...manifest?.peerDependencies })) dependenciesOf(each, seen);
  return seen;
}

test('The page of dependencies lists each package of others that the server app or the packages below it need', () => {
  const [page = ''] = readFileSync(new URL('docs/dependencies.md', root), 'utf8').split(
    '## Dependencies of the command line',
  );
  const listed = Array.from(page.matchAll(/^\| \[?`([^`]+)`/gm), ([, name]) => name);
  const needed = [...dependenciesOf('@modelwire/server-app')].filter(
    // The suites of ports run in vitest.
    (name) => !name.startsWith('@modelwire/') && name !== 'vitest',
  );
  expect(listed.toSorted()).toEqual(needed.toSorted());
});
