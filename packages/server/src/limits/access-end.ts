import type { Principal } from '@modelwire/ports';
import { unrefTimeout } from '../timers.ts';
import type { Policies } from './policies.ts';

/** Why work of a key ends early: a request with that key would be refused, so its work does not continue either. */
export interface AccessEnd {
  readonly code: 'key_revoked' | 'project_archived';
  readonly message: string;
}

interface AccessCheck {
  readonly policies: Policies | undefined;
}

/**
 * Returns why the work ends, or undefined while it may continue.
 *
 * @param what What happened to the work, which starts the message: `The batch was cancelled`.
 */
export async function accessEndOf(
  { policies }: AccessCheck,
  principal: Principal,
  what: string,
): Promise<AccessEnd | undefined> {
  // Cached for two seconds, and shared with requests.
  const policy = await policies?.get(principal);
  const { keyId, project } = principal;
  switch (policy?.accessEndedBy) {
    case 'project_archived':
      return { code: 'project_archived', message: `${what} because the project '${project}' is archived.` };
    case 'key_revoked':
      return { code: 'key_revoked', message: `${what} because the key '${keyId}', which created it, is revoked.` };
    case undefined:
      return undefined;
  }
}

const pollIntervalMs = 1000;

/** Calls back when the work has to end, once at most; polls every second. Returns a function that stops polling. */
export function watchAccess(
  server: AccessCheck & { readonly options: { readonly report: (message: string, error: unknown) => void } },
  principal: Principal,
  { what, onEnd }: { readonly what: string; readonly onEnd: (end: AccessEnd) => void },
): () => void {
  let isStopped = false;
  let clearTimer = unrefTimeout(pollIntervalMs, () => void poll());
  async function poll(): Promise<void> {
    try {
      const end = await accessEndOf(server, principal, what);
      if (isStopped) return;
      if (end) {
        isStopped = true;
        onEnd(end);
        return;
      }
    } catch (error) {
      server.options.report('failed to check the access of a job', error);
    }
    if (!isStopped) clearTimer = unrefTimeout(pollIntervalMs, () => void poll());
  }
  return () => {
    isStopped = true;
    clearTimer();
  };
}
