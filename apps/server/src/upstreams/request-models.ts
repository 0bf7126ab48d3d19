import type { UpstreamServer } from '@modelwire/engine-upstream';
import { credentialHeaders } from '@modelwire/engine-upstream/internal';
import type { GetText, TextReply } from '@modelwire/engine-upstream/internal';
import { UpstreamProblem } from './upstream-problem.ts';

const timeoutMs = 10_000;
/** A larger response is not a list of models. */
export const maxListBytes = 4 * 1024 * 1024;

/**
 * Requests the models of an upstream. Resolves with the reply of any status except 401 and 403.
 *
 * @throws UpstreamProblem for a refused key, and whatever `get` throws.
 */
export async function requestModels(
  { baseURL, apiKey, dialect, headers }: Pick<UpstreamServer, 'baseURL' | 'apiKey' | 'dialect' | 'headers'>,
  get: GetText,
): Promise<TextReply> {
  // Lists of the Messages API have pages.
  const query = dialect === 'messages' ? '?limit=1000' : '';
  const reply = await get(`${baseURL.replace(/\/+$/, '')}/models${query}`, {
    headers: { ...credentialHeaders({ apiKey, dialect }), ...headers },
    signal: AbortSignal.timeout(timeoutMs),
    maxBytes: maxListBytes,
  });
  if (reply.status === 401 || reply.status === 403)
    throw new UpstreamProblem('authentication_failed', `status ${reply.status}`);
  return reply;
}

/** Whether an upstream whose models are configured can be used. It need not list its models: a 404 is an answer, too. @throws like `requestModels`. */
export async function checkUpstream(upstream: UpstreamServer, get: GetText): Promise<void> {
  const { status } = await requestModels(upstream, get);
  if (status >= 500 && status !== 501) throw new UpstreamProblem('failing', `status ${status}`);
}

/** The header that names the product of a server. */
export function serverHeaderOf({ server }: TextReply['headers']): string | undefined {
  return Array.isArray(server) ? server[0] : server;
}
