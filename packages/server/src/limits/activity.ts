import { createBag } from './in-flight.ts';
import type { RequestLogEntry } from '../request-log.ts';

/** A request as a warning about the event loop names it. */
export type ActiveRequest = Pick<RequestLogEntry, 'requestId' | 'method' | 'route' | 'batch'>;

/** The requests that the server is working on, lines of batches included. */
export interface Activity {
  /** Registers a request; call what it returns when the request is over. */
  enter(request: ActiveRequest): () => void;
  /** The requests that were active at some time since the last call, the latest first. */
  take(): readonly ActiveRequest[];
}

/** Requests that ended since the last call are remembered up to here; the oldest are forgotten first. */
const maxEnded = 32;

export function createActivity(): Activity {
  const active = createBag<ActiveRequest>();
  const ended: ActiveRequest[] = [];
  let endedCount = 0;
  return {
    enter(request) {
      const remove = active.add(request);
      return () => {
        remove();
        ended[endedCount++ % maxEnded] = request;
      };
    },
    take() {
      const first = endedCount % maxEnded;
      const inOrder = endedCount <= maxEnded ? [...ended] : [...ended.slice(first), ...ended.slice(0, first)];
      ended.length = 0;
      endedCount = 0;
      return [...inOrder, ...active.all()].toReversed();
    },
  };
}
