import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between SIGTERM and SIGKILL. */
const terminationGraceMs = 5000;

/** Sends SIGTERM to all processes of a group, and SIGKILL after 5 seconds. Resolves when none is left. */
export async function terminateGroup(leader: number): Promise<void> {
  if (!signalGroup(leader, 'SIGTERM')) return;
  for (const until = performance.now() + terminationGraceMs; performance.now() < until;) {
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
    // ESRCH: no process is left. EPERM (macOS): only zombies are left.
    return false;
  }
}
