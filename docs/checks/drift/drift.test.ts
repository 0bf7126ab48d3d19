import { expect, test } from 'vitest';
import { compareOperations } from './compare.ts';
import { decide } from './decisions.ts';
import { factsOf, readFacts } from './facts.ts';
import { ownOperations } from './operations.ts';

const none = { query: {}, request: {}, response: {}, event: {} };

test('everything that only the public document has is decided, and every decision has a row (npm run drift)', () => {
  const { theirsOnly } = compareOperations(ownOperations(), readFacts().operations);
  const { open, unused } = decide(theirsOnly);
  expect({ open, unused }).toEqual({ open: [], unused: [] });
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
  const facts = factsOf(JSON.stringify(document), 'a test', { 'POST /a/{}': none });
  expect(JSON.parse(facts)).toEqual({
    source: 'a test',
    fields: [{ list: [], 'list[].mode': ['x', 'y'], mode: ['x', 'y'] }],
    operations: { 'POST /a/{}': { request: 0 } },
  });
});
