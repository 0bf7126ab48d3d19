import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiReport } from './api-report.mjs';

const exports = { '.': { types: './dist/index.d.ts' }, './more': { types: './dist/more.d.ts' } };
const files = {
  'index.d.ts': "export { open } from './open.ts';\nexport type { Options as OpenOptions } from './open.ts';\n",
  'open.d.ts': `import type { Limit } from './limit.ts';
/** Comments are not part of the report. */
export interface Options { readonly limit?: Limit }
export declare function open(options?: Options): Promise<import('./door.ts').Door>;
export interface Unseen { a: 1 }
`,
  'limit.d.ts': 'export type Limit = number;\n',
  'door.d.ts': 'export interface Door { close(): void }\n',
  'more.d.ts': "export { open } from './open.ts';\nexport declare const most: 3;\n",
};

function report(changed = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-api-test-'));
  mkdirSync(join(folder, 'dist'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: '@x/y', type: 'module', publishConfig: { exports } }),
  );
  for (const [name, text] of Object.entries({ ...files, ...changed })) writeFileSync(join(folder, 'dist', name), text);
  try {
    return apiReport(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('Every entry point lists its exports; a declaration that is exported twice is printed once', () => {
  const text = report();
  assert.match(text, /## @x\/y\n[^]*function open\(options\?: Options\)[^]*## @x\/y\/more\n/);
  assert.equal(text.split('function open(').length, 2);
  assert.match(text, /export open; \/\/ as in "\."/);
  assert.match(text, /const most: 3/);
  assert.match(text, /as OpenOptions\ninterface Options/);
});

test('Declarations that an export uses are in the report, also by import(…); unused ones are not', () => {
  const text = report();
  assert.match(text, /\/\/ limit\ntype Limit = number/);
  assert.match(text, /\/\/ door\ninterface Door/);
  assert.doesNotMatch(text, /Unseen/);
});

test('A change of a type that has no export of its own changes the report; a comment does not', () => {
  assert.notEqual(report({ 'limit.d.ts': 'export type Limit = string;\n' }), report());
  assert.equal(report({ 'limit.d.ts': '/** Bytes. */\nexport type Limit = number;\n' }), report());
});

test('An entry that was not built is an error', () => {
  assert.throws(() => report({ 'more.d.ts': '' }), /Has @x\/y been built\?/);
});
