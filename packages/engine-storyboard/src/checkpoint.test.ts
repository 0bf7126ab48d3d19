import { expect, test } from 'vitest';
import { decodeCheckpoint } from './checkpoint.ts';

test('decodes the reference image of a checkpoint', () => {
  const text = JSON.stringify({ version: 1, reference: Buffer.from('picture').toString('base64') });
  expect(decodeCheckpoint(text)?.toString()).toBe(Buffer.from('picture').toString());
});

test.each([undefined, '', 'job_17', '{}', 'null', '{"version":2,"reference":""}', '{"version":1,"reference":"%"}'])(
  'ignores a checkpoint of another engine: %j',
  (checkpoint) => {
    expect(decodeCheckpoint(checkpoint)).toBeUndefined();
  },
);
