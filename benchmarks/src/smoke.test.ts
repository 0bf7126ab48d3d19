import { expect, test } from 'vitest';
import { openArena } from './http/arena.ts';
import { contestants } from './http/contestants.ts';
import { testServers } from './testing/section.ts';

test.each([
  ['server', contestants],
  ['test server', testServers],
])('every %s of the comparison answers what was asked, whole and in a hundred chunks', async (_, contestants) => {
  const arena = await openArena(contestants);
  try {
    expect(arena.out).toEqual([]);
    expect(arena.entries).toHaveLength(contestants.flatMap(({ modes }) => modes).length);
  } finally {
    await arena.close();
  }
});
