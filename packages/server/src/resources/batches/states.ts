import type { Batch, BatchStatus } from '@modelwire/schema/types';
import { nowInSeconds } from '../../sources.ts';

/** From which state a batch goes to which (interface: States and transitions). Clients cancel; all else is the worker's. */
export const moves = {
  validating: ['in_progress', 'failed', 'expired', 'cancelling'],
  in_progress: ['finalizing', 'failed', 'cancelling'],
  finalizing: ['completed', 'expired'],
  cancelling: ['cancelled'],
  failed: [],
  completed: [],
  expired: [],
  cancelled: [],
} as const satisfies Record<Exclude<BatchStatus, never>, readonly BatchStatus[]>;

/** A state that a batch moves to; each stamps a time of its own. */
export type Move = (typeof moves)[keyof typeof moves][number];

export function canMove({ status }: Pick<Batch, 'status'>, to: Move): boolean {
  return (movesFrom(status) as readonly string[]).includes(to);
}

/** Nothing happens to it any more. */
export function hasEnded({ status }: Pick<Batch, 'status'>): boolean {
  return movesFrom(status).length === 0;
}

/** The batch in its next state, with the time of it. */
export function moved(batch: Batch, to: Move): Batch {
  if (!canMove(batch, to)) throw new Error(`a batch does not go from '${batch.status}' to '${to}'`);
  return { ...batch, status: to, [`${to}_at`]: nowInSeconds() };
}

function movesFrom(status: string): readonly Move[] {
  return status in moves ? moves[status as keyof typeof moves] : [];
}
