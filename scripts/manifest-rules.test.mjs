import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { manifestFaults } from './manifest-rules.mjs';
import { manifestOf, publishedPackages, workspaceFolders } from './workspace.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const faults = (change) => {
  const manifest = structuredClone(manifestOf(root, 'packages/core'));
  change(manifest);
  return manifestFaults(root, 'packages/core', manifest);
};

test('The packages are found by the globs of the workspace', () => {
  const folders = workspaceFolders(root);
  assert.ok(folders.includes('packages/core') && folders.includes('apps/server') && folders.includes('docs'));
  const published = publishedPackages(root).map(({ folder }) => folder);
  assert.ok(published.includes('packages/core') && !published.includes('docs'));
});

test('A correct manifest breaks no rule', () => {
  assert.deepEqual(
    faults(() => undefined),
    [],
  );
});

for (const [what, change, expected] of [
  ['without sideEffects', (manifest) => delete manifest.sideEffects, /sideEffects/],
  ['without provenance', (manifest) => (manifest.publishConfig.provenance = false), /provenance/],
  ['without engines', (manifest) => delete manifest.engines, /engines\.node/],
  ['with another license', (manifest) => (manifest.license = 'ISC'), /license/],
  ['with another folder', (manifest) => (manifest.repository.directory = 'packages/chat'), /repository\.directory/],
  ['without keywords', (manifest) => delete manifest.keywords, /keywords/],
  [
    'that publishes sources',
    (manifest) => (manifest.publishConfig.exports['.'].default = './src/index.ts'),
    /not in dist/,
  ],
  [
    'with an entry that is not published',
    (manifest) => (manifest.exports['./more'] = './src/more.ts'),
    /lacks "\.\/more"/,
  ],
  [
    'that pins a sibling',
    (manifest) => (manifest.dependencies = { '@modelwire/schema': 'workspace:*' }),
    /workspace:\^/,
  ],
]) {
  test(`A manifest ${what} breaks a rule`, () => {
    const found = faults(change);
    assert.equal(found.length, 1);
    assert.match(found[0], expected);
  });
}
