import type { Clock } from '@modelwire/ports';
import type { Batch, BatchStatus } from '@modelwire/schema/types';
import { nowInSeconds } from '../clock.ts';

/** The next statuses of each status (API: States and transitions). Clients cancel; the worker makes all other transitions. */
export const transitions = {
  validating: ['in_progress', 'failed', 'expired', 'cancelling'],
  in_progress: ['finalizing', 'failed', 'cancelling'],
  finalizing: ['completed', 'expired'],
  cancelling: ['cancelled'],
  failed: [],
  completed: [],
  expired: [],
  cancelled: [],
} as const satisfies Record<Exclude<BatchStatus, never>, readonly BatchStatus[]>;

/** A status that a batch can change to; each has a timestamp. */
export type NextStatus = (typeof transitions)[keyof typeof transitions][number];

export function canTransition({ status }: Pick<Batch, 'status'>, to: NextStatus): boolean {
  return (nextStatuses(status) as readonly string[]).includes(to);
}

/** Whether the status is final. */
export function hasEnded({ status }: Pick<Batch, 'status'>): boolean {
  return nextStatuses(status).length === 0;
}

/** The batch with its next status and the timestamp of the change. */
export function withStatus(batch: Batch, to: NextStatus, clock: Pick<Clock, 'now'>): Batch {
  if (!canTransition(batch, to)) throw new Error(`a batch cannot change from '${batch.status}' to '${to}'`);
  // With this status the batch waits for nothing that the previous one waited for, and is not late with its lines.
  const { waiting_for: _, late: __, ...rest } = batch;
  return { ...rest, status: to, [`${to}_at`]: nowInSeconds(clock) };
}

function nextStatuses(status: string): readonly NextStatus[] {
  return status in transitions ? transitions[status as keyof typeof transitions] : [];
}
