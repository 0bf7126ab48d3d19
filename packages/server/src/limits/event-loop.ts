import type { ActiveRequest, ActiveRequests } from './active-requests.ts';

/** The event loop was blocked, so that no request made progress. */
export interface EventLoopStall {
  readonly durationMs: number;
  /** CPU time of this process while it was blocked. Far less than `durationMs` means that the machine, not a request, was the cause. */
  readonly cpuMs: number;
  /** The requests that were active during the stall, the latest first, at most 20: one of them is the likely cause. */
  readonly requests: readonly ActiveRequest[];
}

interface MonitorInit {
  readonly thresholdMs: number;
  readonly activeRequests: ActiveRequests;
  readonly onStall: (stall: EventLoopStall) => void;
}

const intervalMs = 50;
const maxRequests = 20;

/** CPU time of this process so far; 0 on runtimes that do not report it. */
function cpuTimeMs(): number {
  if (typeof process === 'undefined') return 0;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Reports each time that the event loop was blocked for longer than the threshold. A timer measures how late it runs: the histogram of
 * `perf_hooks` would miss stalls just after each reset. Returns a function that stops it.
 */
export function monitorEventLoop({ thresholdMs, activeRequests, onStall }: MonitorInit): () => void {
  let previous = { at: performance.now(), cpuMs: cpuTimeMs() };
  const check = (): void => {
    const current = { at: performance.now(), cpuMs: cpuTimeMs() };
    const durationMs = Math.round(current.at - previous.at - intervalMs);
    const cpuMs = Math.round(current.cpuMs - previous.cpuMs);
    previous = current;
    const requests = activeRequests.drainRecent();
    if (durationMs < thresholdMs) return;
    onStall({ durationMs, cpuMs, requests: requests.slice(0, maxRequests).map(pickFields) });
  };
  const timer = setInterval(check, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The documented fields alone: entries are log records, which have more. */
function pickFields({ requestId, method, route, batch }: ActiveRequest): ActiveRequest {
  return { requestId, method, route, ...(batch !== undefined && { batch }) };
}
