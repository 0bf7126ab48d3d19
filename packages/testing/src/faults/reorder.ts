import type { PlannedFaultOf } from './schema.ts';

type OutOfOrder = PlannedFaultOf<'out-of-order'>;

/** Resolves when a response can be sent: the last one of a group first. */
export type ReorderBuffer = (fault: OutOfOrder) => Promise<void>;

/** Delays responses until a group is complete or its time has passed, then releases them in reverse order. */
export function createReorderBuffer(): ReorderBuffer {
  const groups = new Map<OutOfOrder, (() => void)[]>();

  async function release(fault: OutOfOrder): Promise<void> {
    const waiting = groups.get(fault) ?? [];
    groups.delete(fault);
    for (const go of waiting.reverse()) {
      go();
      // Gives the previous response time to be sent.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  return (fault) =>
    new Promise((resolve) => {
      const waiting = groups.get(fault) ?? [];
      groups.set(fault, waiting);
      waiting.push(resolve);
      if (waiting.length === fault.of) void release(fault);
      else if (waiting.length === 1) {
        const timer = setTimeout(() => {
          if (groups.get(fault) === waiting) void release(fault);
        }, fault.ms);
        timer.unref();
      }
    });
}
