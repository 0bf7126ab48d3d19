import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between the request to end and the end. */
export const graceMs = 5000;

/** Asks all processes of a group to end, and ends them when they have not after 5 seconds. Resolves when none is left to end. */
export async function endGroup(leader: number): Promise<void> {
  if (!signalGroup(leader, 'SIGTERM')) return;
  for (const until = Date.now() + graceMs; Date.now() < until;) {
    await sleep(50);
    if (!signalGroup(leader, 0)) return;
  }
  signalGroup(leader, 'SIGKILL');
}

/** False when there is no such group. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    // ESRCH: none is left. EPERM (macOS): only dead ones that nobody has asked after.
    return false;
  }
}
