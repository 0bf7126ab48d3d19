import { sentTooSlowly } from '../errors.ts';
import { SenderPace, checkIntervalMs } from './sender-pace.ts';
import type { PaceRules } from './sender-pace.ts';

/** A body that is being received. */
export interface WatchedBody {
  receive(bytes: number): void;
  /** The body is complete, or is not read any more. */
  end(): void;
}

/** Finds the senders of bodies that are too slow. */
export interface BodyWatch {
  /** Calls `fail` with a 408, once, when the body arrives more slowly than the rules allow. */
  watch(fail: (error: Error) => void): WatchedBody;
}

interface Entry {
  readonly pace: SenderPace;
  readonly fail: (error: Error) => void;
  /** Its place in the list; -1 when it is not there any more. */
  index: number;
}

/** One timer for all bodies: a timer of its own would cost each request a microsecond. */
export function createBodyWatch(rules: PaceRules): BodyWatch {
  const entries: Entry[] = [];
  let timer: ReturnType<typeof setInterval> | undefined;

  function remove(entry: Entry): void {
    const { index } = entry;
    if (index === -1) return;
    entry.index = -1;
    const last = entries.pop();
    if (!last || last === entry) return;
    entries[index] = last;
    last.index = index;
  }
  function check(): void {
    const now = performance.now();
    for (const entry of entries.filter(({ pace }) => pace.isTooSlow(now))) {
      remove(entry);
      entry.fail(sentTooSlowly());
    }
    if (entries.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
  return {
    watch(fail) {
      const entry = { pace: new SenderPace(rules, performance.now()), fail, index: entries.length };
      entries.push(entry);
      if (timer === undefined) {
        timer = setInterval(check, checkIntervalMs(rules));
        if (typeof timer === 'object') timer.unref();
      }
      return {
        receive(bytes) {
          const now = performance.now();
          entry.pace.receive(bytes, now);
          entry.pace.resume(now);
        },
        end: () => remove(entry),
      };
    },
  };
}
