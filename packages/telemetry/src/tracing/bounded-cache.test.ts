import { describe, expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

interface Input {
  readonly status: number;
}

const createCache = (): BoundedCache<Input, { readonly text: string }> =>
  new BoundedCache({
    create: ({ status }) => ({ text: `status ${status}` }),
    isSame: (first, second) => first.status === second.status,
  });

describe('bounded cache', () => {
  test('equal inputs with the same key have the same value', () => {
    const cache = createCache();
    const ok = cache.get('project', { status: 200 });
    const notFound = cache.get('project', { status: 404 });
    expect(ok).toEqual({ text: 'status 200' });
    expect(notFound).toEqual({ text: 'status 404' });
    expect(cache.get('project', { status: 200 })).toBe(ok);
    expect(cache.get('project', { status: 404 })).toBe(notFound);
    expect(cache.get('other project', { status: 200 })).not.toBe(ok);
  });

  test('32 inputs with the same key, by turns, keep their values', () => {
    const cache = createCache();
    const created = Array.from({ length: 32 }, (_, status) => cache.get('project', { status }));
    for (let round = 0; round < 3; round++) {
      for (const [status, value] of created.entries()) expect(cache.get('project', { status })).toBe(value);
    }
  });

  test('another input replaces one of them that is used rarely', () => {
    const cache = createCache();
    const created = Array.from({ length: 32 }, (_, status) => cache.get('project', { status }));
    for (let round = 0; round < 32; round++) cache.get('project', { status: 31 });
    const added = cache.get('project', { status: 32 });
    expect(added).toEqual({ text: 'status 32' });
    expect(cache.get('project', { status: 32 })).toBe(added);
    expect(cache.get('project', { status: 31 })).toBe(created[31]);
    const kept = created.filter((value, status) => cache.get('project', { status }) === value);
    expect(kept).toHaveLength(31);
  });

  test('a 201st key discards the values of all others', () => {
    const cache = createCache();
    const first = cache.get('project-0', { status: 200 });
    for (let index = 1; index < 200; index++) cache.get(`project-${index}`, { status: 200 });
    expect(cache.get('project-0', { status: 200 })).toBe(first);
    cache.get('project-200', { status: 200 });
    expect(cache.get('project-0', { status: 200 })).not.toBe(first);
  });

  test('values with a long key are not kept', () => {
    const cache = createCache();
    const key = 'm'.repeat(257);
    expect(cache.get(key, { status: 200 })).not.toBe(cache.get(key, { status: 200 }));
    expect(cache.get(key.slice(1), { status: 200 })).toBe(cache.get(key.slice(1), { status: 200 }));
  });
});
