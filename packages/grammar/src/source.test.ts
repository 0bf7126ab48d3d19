import { expect, test } from 'vitest';
import { compileSource, createGrammarCache, runSteps, runStepsWithPauses } from './index.ts';
import type { GrammarSource } from './index.ts';

const accepts = (source: GrammarSource, text: string): boolean =>
  runSteps(compileSource(source, createGrammarCache().forRequest())).start().advance(text)?.canEnd() === true;
const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false };
const unsupported = { ...schema, properties: { a: { type: 'string', pattern: '(?=x)' } } };

test.each<[string, GrammarSource, string, string]>([
  ['any JSON object', { type: 'json_object' }, '{"b":[1]}', '[1]'],
  ['a schema', { type: 'json_schema', schema, strict: true, orObject: false }, '{"a":1}', '{"a":""}'],
  ['a Lark grammar', { type: 'lark', definition: 'start: "a" "b"' }, 'ab', 'a'],
  ['a regular expression', { type: 'regex', definition: 'a+' }, 'aaa', 'ab'],
])('compiles the grammar of %s', (_, source, valid, invalid) => {
  expect([accepts(source, valid), accepts(source, invalid)]).toEqual([true, false]);
});

test('compiles the grammar of any object instead of that of an unsupported schema only if the source allows it', () => {
  const source = { type: 'json_schema', schema: unsupported, strict: false, orObject: true } as const;
  expect(accepts(source, '{"a":"any"}')).toBe(true);
  expect(() => accepts({ ...source, orObject: false }, '{}')).toThrow(expect.objectContaining({ code: 'unsupported' }));
});

test('steps wait for pauses, and end when one rejects', async () => {
  let isEnded = false;
  let count = 0;
  const steps = function* () {
    try {
      for (; count < 3; count++) yield;
      return 'done';
    } finally {
      isEnded = true;
    }
  };
  expect(await runStepsWithPauses(steps(), () => (count === 1 ? Promise.resolve() : undefined))).toBe('done');
  [count, isEnded] = [0, false];
  await expect(runStepsWithPauses(steps(), () => Promise.reject(new Error('left')))).rejects.toThrow('left');
  expect([count, isEnded]).toEqual([0, true]);
});
