import { expect, it } from 'vitest';
import { decodeSetup, emptySetup, encodeSetup } from './setup.ts';

it('restores set-up and messages from a link', () => {
  const shared = {
    setup: {
      ...emptySetup,
      models: ['a', 'b'],
      system: 'Reply in Ελληνικά 🙂',
      variables: { tone: 'kind' },
      temperature: '0.5',
      store: true,
    },
    messages: [{ role: 'user', content: 'مرحبا' }] as const,
  };
  const text = encodeSetup(shared);
  expect(text).toMatch(/^[\w-]+$/);
  expect(decodeSetup(text)).toEqual(shared);
});

it('uses defaults for fields of another type, and ignores invalid messages', () => {
  const text = btoa(
    JSON.stringify({
      setup: { models: 'x', system: 5, variables: { a: 1 }, store: 'yes' },
      messages: [1, { role: 'admin' }],
    }),
  );
  expect(decodeSetup(text)).toEqual({ setup: emptySetup, messages: [] });
});

it.each(['', 'not base64!', btoa('[]'), btoa('{')])('returns undefined for %j', (text) => {
  expect(decodeSetup(text)).toBeUndefined();
});
