import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { specificationChanges } from './changes-page.ts';
import { compareOperations } from './compare.ts';
import { decide } from './decisions.ts';
import { factsFile, factsOf, publicOperations, readFacts } from './facts.ts';
import { operationsIn, ownOperations } from './operations.ts';
import { sdkDocument, sdkFacts } from './sdk-document.ts';

const none = { query: {}, request: {}, response: {}, event: {} };

test('everything that only the public document or the SDK has is decided, and every decision has a row (npm run drift)', () => {
  const { theirsOnly } = compareOperations(ownOperations(), publicOperations(readFacts()));
  const { open, unused } = decide(theirsOnly);
  expect({ open, unused }).toEqual({ open: [], unused: [] });
});

test('what changed in the public specification is served, decided, open or gone', () => {
  const before = { 'POST /a': { ...none, request: { old: [], gone: [] } } };
  const request = { old: [], served: [], mode: ['x'], open: [], 'open.inner': [] };
  const now = { 'POST /a': { ...none, request }, 'POST /audio/songs': none };
  const ours = { 'POST /a': { ...none, request: { old: [], served: [], mode: [] } } };
  const audio = 'not served: audio, images and realtime are forwarded to an upstream that serves them';
  expect(specificationChanges(before, now, ours)).toEqual({
    served: ['POST /a request served', 'POST /a request mode'],
    decisions: [
      { decision: audio, rows: ['POST /audio/songs'] },
      { decision: 'not decided', rows: ['POST /a request open'] },
    ],
    removed: ['POST /a request gone'],
  });
});

test('a field, a value and an operation that one side lacks are one row each, and stand for what is in them', () => {
  const ours = { 'POST /a': { ...none, request: { mode: ['x'], free: [], any: ['*'], mine: [] } } };
  const request = { mode: ['x', 'y'], free: ['z'], any: [], 'any.field': [], list: [], 'list[].name': [] };
  const theirs = { 'POST /a': { ...none, request }, 'GET /b': none };
  expect(compareOperations(ours, theirs)).toEqual({
    same: 3,
    oursOnly: ['POST /a request mine'],
    theirsOnly: ['POST /a request mode = y', 'POST /a request list', 'GET /b'],
  });
});

test('facts have names and values of a document, and none of its texts', () => {
  const schema = {
    description: 'A text',
    allOf: [
      { $ref: '#/components/schemas/Mode' },
      { type: 'object', properties: { list: { type: 'array', items: { $ref: '#/components/schemas/Mode' } } } },
    ],
  };
  const mode = { type: 'object', properties: { mode: { enum: ['x', 'y'], description: 'A text' } } };
  const content = { 'application/json': { schema } };
  const document = {
    paths: { '/a/{id}': { post: { requestBody: { content } } } },
    components: { schemas: { Mode: mode } },
  };
  const facts = factsOf(operationsIn(document), 'a test', { 'POST /a/{}': none });
  expect(JSON.parse(facts)).toEqual({
    source: 'a test',
    fields: [{ list: [], 'list[].mode': ['x', 'y'], mode: ['x', 'y'] }],
    operations: { 'POST /a/{}': { request: 0 } },
  });
});

test('the operations of an SDK are those that its methods request, with the fields of their types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-sdk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'resources'));
  writeFileSync(join(folder, 'index.d.ts'), "export * from './resources/things.js';");
  writeFileSync(
    join(folder, 'resources/things.mjs'),
    `export var Things = (() => { class Things {
      create(body, options) {
        return this._client.post('/things', { body, ...options });
      }
      add(id, params) {
        const { include, ...body } = params;
        return this._client.post(path \`/things/\${id}/parts\`, { query: { include }, body });
      }
      list(query = {}) {
        return this._client.getAPIList('/things', Page, { query });
      }
      wait(id) {
        return this.list({ after: id });
      }
    } return Things; })();`,
  );
  writeFileSync(
    join(folder, 'resources/things.d.ts'),
    `declare class APIPromise<T> { private it: T }
    declare class Stream<T> { private it: T }
    declare class Page<T> { data: Array<T>; next(): void; protected client: string }
    interface Thing { id: string; status: 'open' | (string & {}); metadata: { [key: string]: string } | null }
    interface Event { type: 'done'; thing: Thing }
    export class Things {
      create(body: { size?: 'big' | null; file?: File | Promise<string>; stream?: false }): APIPromise<Thing>;
      create(body: { size?: 'small'; stream: true }): APIPromise<Stream<Event>>;
      add(id: string, params: { include?: Array<'more'>; text: string }): APIPromise<Thing>;
      list(query?: { after?: string; path?: never } | null): APIPromise<Page<Thing>>;
      wait(id: string): Promise<Thing>;
    }`,
  );
  const thing = { id: [], metadata: ['*'], status: ['open'] };
  const inside = (path: string) => Object.fromEntries(Object.entries(thing).map(([key, value]) => [path + key, value]));
  expect(operationsIn(sdkDocument(folder))).toEqual({
    'GET /things': { ...none, query: { after: [] }, response: { data: [], ...inside('data[].') } },
    'POST /things': {
      ...none,
      request: { file: [], size: ['big', 'small'], stream: [] },
      response: thing,
      event: { type: ['done'], thing: [], ...inside('thing.') },
    },
    'POST /things/{}/parts': {
      ...none,
      query: { include: [] },
      request: { text: [] },
      response: thing,
    },
  });
});

test.each(['openai', '@anthropic-ai/sdk'])(
  'the committed facts are those of the installed SDK (npm run drift -- docs/node_modules/…): %s',
  (name) => {
    const { of, text } = sdkFacts(
      fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)),
      ownOperations(),
    );
    expect(readFileSync(factsFile(of), 'utf8')).toBe(text);
  },
);
