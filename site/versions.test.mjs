import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { addVersion, siteVersion } from './versions.mjs';

const pages = { 'index.html': '', '404.html': '', 'llms.txt': '', 'guides/index.html': '', 'guides/gguf.html': '' };

function build(site, released) {
  const built = siteVersion(released);
  for (const [page, text] of Object.entries(pages)) {
    const file = join(site, built.version, page);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${text}${built.version}`);
  }
  addVersion(site, built);
}

test('A release is published beside others, and latest leads to the newest of them', () => {
  const site = mkdtempSync(join(tmpdir(), 'modelwire-site-test-'));
  const read = (file) => readFileSync(join(site, file), 'utf8');
  try {
    build(site);
    assert.match(read('index.html'), /url=\.\/main\/"/);
    build(site, '0.9.1');
    build(site, '0.10.0');
    // A fix of an older release.
    build(site, '0.9.2');
    build(site);
    assert.deepEqual(JSON.parse(read('versions.json')), [
      { version: 'v0.10', title: '0.10.0' },
      { version: 'v0.9', title: '0.9.2' },
      { version: 'main', title: 'main (unreleased)' },
    ]);
    assert.match(read('index.html'), /url=\.\/v0\.10\/"/);
    assert.equal(read('404.html'), 'v0.10');
    assert.equal(read('llms.txt'), 'v0.10');
    assert.match(read('latest/index.html'), /url=\.\.\/v0\.10\/"/);
    assert.match(read('latest/guides/index.html'), /url=\.\.\/\.\.\/v0\.10\/guides\/"/);
    assert.match(read('latest/guides/gguf.html'), /url=\.\.\/\.\.\/v0\.10\/guides\/gguf"/);
    assert.equal(read('v0.9/guides/gguf.html'), 'v0.9');
  } finally {
    rmSync(site, { recursive: true });
  }
});
