import type { PlannedFaultOf } from './schema.ts';

type OutOfOrder = PlannedFaultOf<'out-of-order'>;

/** Resolves when an answer may go: the last that came first. */
export type Held = (fault: OutOfOrder) => Promise<void>;

/** Holds answers until there are as many as a fault wants, or it has waited long enough. */
export function holding(): Held {
  const groups = new Map<OutOfOrder, (() => void)[]>();

  async function release(fault: OutOfOrder): Promise<void> {
    const waiting = groups.get(fault) ?? [];
    groups.delete(fault);
    for (const go of waiting.reverse()) {
      go();
      // The one before has left by then.
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
