import type { UpstreamServer } from '@modelwire/engine-upstream';
import { UpstreamProblem } from './upstream-problem.ts';

const timeoutMs = 10_000;

/**
 * Requests the models of an upstream. Resolves with the response of any status except 401 and 403, its body unread.
 *
 * @throws UpstreamProblem for a refused key, and whatever `fetch` throws.
 */
export async function requestModels(
  { baseURL, apiKey, headers }: UpstreamServer,
  fetchModels: typeof fetch,
): Promise<Response> {
  const response = await fetchModels(`${baseURL.replace(/\/+$/, '')}/models`, {
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
    // Do not send the key to a server that this one redirects to.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status === 401 || response.status === 403) {
    await response.body?.cancel();
    throw new UpstreamProblem('authentication_failed', `status ${response.status}`);
  }
  return response;
}

/** Whether an upstream whose models are configured can be used. It need not list its models: a 404 is an answer, too. @throws like `requestModels`. */
export async function checkUpstream(upstream: UpstreamServer, fetchModels: typeof fetch): Promise<void> {
  const { status, body } = await requestModels(upstream, fetchModels);
  await body?.cancel();
  if (status >= 500 && status !== 501) throw new UpstreamProblem('failing', `status ${status}`);
}
