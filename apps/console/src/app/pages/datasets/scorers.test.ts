import { expect, test } from 'vitest';
import { areScorersComplete, defaultScorers, readScorers } from './scorers.ts';

const none = { ...defaultScorers, normalized: false };

test('a comparison needs a scorer, and a judge needs criteria', () => {
  expect(areScorersComplete(defaultScorers)).toBe(true);
  expect(areScorersComplete(none)).toBe(false);
  expect(areScorersComplete({ ...none, pattern: '[0-9]+' })).toBe(true);
  expect(areScorersComplete({ ...defaultScorers, judgeModel: 'large' })).toBe(false);
  expect(areScorersComplete({ ...none, judgeModel: 'large', criteria: 'It is short.' })).toBe(true);
});

test('the scorers of the form become those of the request, and an invalid schema is named', () => {
  const input = { ...defaultScorers, exact: true, schema: '{ "type": "object" }', pattern: '.*' };
  const judge = { judgeModel: 'large', judgeMode: 'rubric', criteria: 'It is short.' } as const;
  expect(readScorers({ ...input, ...judge, embeddingModel: 'vectors' })).toEqual([
    { type: 'exact' },
    { type: 'normalized' },
    { type: 'json_schema', schema: { type: 'object' } },
    { type: 'regex', pattern: '.*' },
    { type: 'embedding', model: 'vectors' },
    { type: 'judge', model: 'large', mode: 'rubric', criteria: 'It is short.' },
  ]);
  expect(() => readScorers({ ...defaultScorers, schema: '[]' })).toThrow('JSON Schema: must be a JSON object.');
});
