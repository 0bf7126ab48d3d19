import type { Batch } from '@modelwire/schema/types';
import { expect, test } from 'vitest';
import { canTransition, hasEnded, withStatus, transitions } from './status.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import type { NextStatus } from './status.ts';

const clock = fakeClock();

/** What a client may see, as documented; everything else is refused. */
const allowedMoves: readonly string[] = [
  'validating to in_progress',
  'validating to failed',
  'validating to expired',
  'validating to cancelling',
  'in_progress to finalizing',
  'in_progress to failed',
  'in_progress to cancelling',
  'finalizing to completed',
  'finalizing to expired',
  'cancelling to cancelled',
];
const statuses = Object.keys(transitions) as (keyof typeof transitions)[];
const everyMove: readonly NextStatus[] = [
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
  const allowed = allowedMoves.includes(`${from} to ${to}`);
  expect(canTransition(batch(from), to)).toBe(allowed);
  if (!allowed) expect(() => withStatus(batch(from), to, clock)).toThrow(`from '${from}' to '${to}'`);
  else {
    const next = withStatus(batch(from), to, clock);
    expect(next.status).toBe(to);
    expect(next[`${to}_at`]).toBe(1_700_000_000);
  }
});

test('every status can be reached, and from each a final one', () => {
  const reached = new Set<string>(['validating']);
  for (const from of statuses) for (const to of transitions[from]) reached.add(to);
  expect([...reached].toSorted()).toEqual(statuses.toSorted());
  const ends = (from: keyof typeof transitions): boolean => hasEnded(batch(from)) || transitions[from].some(ends);
  expect(statuses.filter((from) => !ends(from))).toEqual([]);
});
