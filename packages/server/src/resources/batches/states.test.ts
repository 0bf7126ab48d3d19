import type { Batch } from '@modelwire/schema/types';
import { expect, test } from 'vitest';
import { canMove, hasEnded, moved, moves } from './states.ts';
import type { Move } from './states.ts';

const statuses = Object.keys(moves) as (keyof typeof moves)[];
const everyMove: readonly Move[] = [
  'in_progress',
  'finalizing',
  'completed',
  'failed',
  'expired',
  'cancelling',
  'cancelled',
];

const batch = (status: string): Batch => ({
  id: 'batch_1',
  object: 'batch',
  endpoint: '/v1/chat/completions',
  input_file_id: 'file-1',
  completion_window: '24h',
  status,
  created_at: 1,
});

test.each(statuses.flatMap((from) => everyMove.map((to) => [from, to] as const)))('%s to %s', (from, to) => {
  const allowed = (moves[from] as readonly Move[]).includes(to);
  expect(canMove(batch(from), to)).toBe(allowed);
  if (!allowed) expect(() => moved(batch(from), to)).toThrow(`from '${from}' to '${to}'`);
  else {
    const now = Math.floor(Date.now() / 1000);
    const next = moved(batch(from), to);
    expect(next.status).toBe(to);
    expect(next[`${to}_at`]).toBeGreaterThanOrEqual(now);
  }
});

test('every state is reached, and from each that has not ended an end can be', () => {
  const reached = new Set<string>(['validating']);
  for (const from of statuses) for (const to of moves[from]) reached.add(to);
  expect([...reached].toSorted()).toEqual(statuses.toSorted());
  const ends = (from: keyof typeof moves): boolean => hasEnded(batch(from)) || moves[from].some(ends);
  expect(statuses.filter((from) => !ends(from))).toEqual([]);
});
