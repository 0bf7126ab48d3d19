import { AbortError, ApiError, isModelwireError, TimeoutError } from '@modelwire/core';
import { RequestError } from '@modelwire/ports';
import { replyFailure } from './failures.ts';

/** What a client of another server threw, as an error that may be shown: nothing of addresses, keys or raw bodies. */
export function clientFailure(
  thrown: unknown,
  { model, server, secrets }: { readonly model: string; readonly server: string; readonly secrets: readonly string[] },
): unknown {
  if (!isModelwireError(thrown) || thrown instanceof AbortError) return thrown;
  if (thrown instanceof ApiError) {
    const headers = Object.fromEntries(thrown.headers);
    return replyFailure(
      thrown.status,
      headers,
      JSON.stringify(thrown.body ?? null),
      { publicId: model, path: '' },
      { name: server, secrets },
    ).error;
  }
  const init = { type: 'server_error', cause: new Error(`${server}: ${thrown.name}`) };
  if (thrown instanceof TimeoutError) {
    return new RequestError(`The upstream '${server}' did not answer in time.`, {
      status: 504,
      code: 'upstream_timeout',
      ...init,
    });
  }
  return new RequestError(`The upstream '${server}' is unreachable, or closed the connection. Please retry later.`, {
    status: 503,
    code: 'upstream_unavailable',
    headers: { 'retry-after': '1' },
    ...init,
  });
}
