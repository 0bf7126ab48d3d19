import type { Principal } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import { startPolling } from '../timers.ts';
import type { Policies } from './policies.ts';

/** Work that ends when its key is revoked or its project archived: a request with that key would be refused, so its work does not continue either. */
export interface AccessRule {
  readonly principal: Principal;
  /** What happens to the work, which starts the message: `The batch was cancelled`. */
  readonly what: string;
  /** While the work runs: it is aborted and then failed, or only failed in the store, where it notices that itself and ends in order. */
  readonly onEnd: 'abort' | 'fail';
}

export interface PolicySource {
  readonly policies: Policies;
}

/** Returns a 403 that says why the work ends, or undefined while it may continue. */
export async function accessEndOf(
  { policies }: PolicySource,
  { principal, what }: AccessRule,
): Promise<RequestError | undefined> {
  // Cached for two seconds, and shared with requests.
  const code = (await policies.get(principal)).accessEndedBy;
  if (code === undefined) return undefined;
  const { keyId, project } = principal;
  const why =
    code === 'project_archived'
      ? `the project '${project}' is archived`
      : `the key '${keyId}', which created it, is revoked`;
  return new RequestError(`${what} because ${why}.`, { status: 403, code });
}

/** Calls back when the work has to end; polls every second, until `onEnd` has succeeded. Returns a function that stops polling. */
export function watchAccess(
  server: PolicySource & { readonly options: { readonly report: (message: string, error: unknown) => void } },
  rule: AccessRule,
  onEnd: (end: RequestError) => Promise<void>,
): () => void {
  return startPolling({
    async poll(isStopped) {
      const end = await accessEndOf(server, rule);
      if (end && !isStopped()) await onEnd(end);
      return end !== undefined;
    },
    onError: (error) => server.options.report('failed to check the access of a job', error),
  });
}
