import type { ActiveRequest, Activity } from './in-flight.ts';

/** The event loop was blocked, so that no request made progress. */
export interface EventLoopStall {
  readonly durationMs: number;
  /** CPU time of this process while it was blocked. Far less than `durationMs` means that the machine, not a request, was the cause. */
  readonly cpuMs: number;
  /** The requests that were active meanwhile, the latest first, at most 20: one of them is the likely cause. */
  readonly requests: readonly ActiveRequest[];
}

export interface EventLoopMonitor {
  stop(): void;
}

interface MonitorInit {
  readonly thresholdMs: number;
  readonly activity: Activity;
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
 * `perf_hooks` would miss stalls just after each reset.
 */
export function monitorEventLoop({ thresholdMs, activity, onStall }: MonitorInit): EventLoopMonitor {
  let before = { at: performance.now(), cpuMs: cpuTimeMs() };
  const check = (): void => {
    const now = { at: performance.now(), cpuMs: cpuTimeMs() };
    const durationMs = Math.round(now.at - before.at - intervalMs);
    const cpuMs = Math.round(now.cpuMs - before.cpuMs);
    before = now;
    const requests = activity.drainRecent();
    if (durationMs < thresholdMs) return;
    onStall({ durationMs, cpuMs, requests: requests.slice(0, maxRequests).map(named) });
  };
  const timer = setInterval(check, intervalMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function named({ requestId, method, route, batch }: ActiveRequest): ActiveRequest {
  return { requestId, method, route, ...(batch !== undefined && { batch }) };
}
