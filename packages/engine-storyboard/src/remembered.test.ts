import { expect, test } from 'vitest';
import { decodeRemembered } from './remembered.ts';

test('reads the picture that it had remembered', () => {
  const text = JSON.stringify({ version: 1, reference: Buffer.from('picture').toString('base64') });
  expect(decodeRemembered(text)?.toString()).toBe(Buffer.from('picture').toString());
});

test.each([undefined, '', 'job_17', '{}', 'null', '{"version":2,"reference":""}', '{"version":1,"reference":"%"}'])(
  'takes nothing from what another engine remembered: %j',
  (memory) => {
    expect(decodeRemembered(memory)).toBeUndefined();
  },
);
