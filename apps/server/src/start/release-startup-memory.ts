import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const checkMs = 1000;
const maxChecks = 10;
const maxUtilization = 0.05;

/**
 * Returns the memory of startup to the operating system, about 30 MB: V8 keeps the pages of its young generation until memory is scarce.
 * This blocks the event loop for about 50 ms, so it waits for the first second in which the server is idle. A server that is busy for the
 * first ten seconds uses the memory.
 */
export function releaseStartupMemory(): void {
  let previous = performance.eventLoopUtilization();
  let checks = 0;
  const timer = setInterval(() => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, previous);
    previous = current;
    if (utilization < maxUtilization) collectGarbage();
    if (utilization < maxUtilization || ++checks === maxChecks) clearInterval(timer);
  }, checkMs);
  timer.unref();
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function')
    Reflect.apply(collect, undefined, [{ type: 'major', execution: 'sync', flavor: 'last-resort' }]);
}
