import { expect, test } from 'vitest';
import { openArena } from './http/arena.ts';
import { contestants } from './http/contestants.ts';

test('every server of the comparison answers what was asked, whole and in a hundred chunks', async () => {
  const arena = await openArena(contestants);
  try {
    expect(arena.out).toEqual([]);
    expect(arena.entries).toHaveLength(contestants.flatMap(({ modes }) => modes).length);
  } finally {
    await arena.close();
  }
});
