import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { isSuccess } from '../exchange/response.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { textAt, valueAt } from '../exchange/value.ts';
import { unknownId, resolvePath, validCall } from './calls.ts';
import type { EndpointAvailability, RunContext } from './run-context.ts';
import { Skip } from '../verdict.ts';

/**
 * Sends a valid request to the endpoint and decides by the response whether it is served. An endpoint that is not served
 * responds as an unknown path does; if no ID for the path is available, an invented one is used.
 */
export async function probeEndpoint(context: RunContext, endpoint: EndpointId): Promise<EndpointAvailability> {
  const { method } = contract[endpoint].route;
  const unknownPathResponse = (): Promise<CompleteResponse> =>
    context.sendOnce(`${method} nowhere`, () => ({
      method,
      path: `/modelwire-conformance/${context.runId}`,
      ...(method === 'POST' && { body: {} }),
    }));
  let response: CompleteResponse;
  let reason: string | undefined;
  try {
    const call = await validCall(context, endpoint);
    response = await context.send(call);
    if (isSuccess(response) && isOfOtherObject(endpoint, call.path, response)) return { served: false, response };
  } catch (thrown) {
    if (!(thrown instanceof Skip)) throw thrown;
    reason = thrown.message;
    response = await context.send({
      method,
      path: resolvePath(endpoint, unknownId(context, endpoint)),
      ...(method === 'POST' && { body: {} }),
    });
  }
  if (isSuccess(response) && !isHtmlPage(response))
    return reason === undefined ? { served: true, response } : { served: true, reason };
  if (isNotServed(response, await unknownPathResponse(), context.runId)) return { served: false, response };
  return reason === undefined ? { served: true, response } : { served: true, reason };
}

/** Endpoints whose response has the requested ID. */
const RETURNS_ID =
  /^(?:chat\.completions|batches|uploads|files|videos|models|responses|conversations)\.(?:retrieve|update|delete|cancel|complete)$/;

/** Some servers respond to every path below one as to that path itself. */
function isOfOtherObject(endpoint: EndpointId, path: string, response: CompleteResponse): boolean {
  if (!RETURNS_ID.test(endpoint)) return false;
  const id = textAt(response.json, 'id');
  return id === undefined || !path.split('/').map(decodeURIComponent).includes(id);
}

/** An HTML page, which some API servers return for unknown paths. */
const isHtmlPage = ({ headers }: CompleteResponse): boolean => /^text\/html/i.test(headers.get('content-type') ?? '');

function isNotServed(response: CompleteResponse, unknownPathResponse: CompleteResponse, run: string): boolean {
  if (isHtmlPage(response)) return true;
  if (response.status === 501) return true;
  if (response.status !== 404 && response.status !== 405)
    return response.status >= 400 && isEqualResponse(response, unknownPathResponse, run);
  return (
    valueAt(response.json, 'error') === undefined ||
    // The message may suggest another path, so that it differs for each.
    textAt(response.json, 'error', 'code') === 'unknown_url' ||
    response.status === 405 ||
    isEqualResponse(response, unknownPathResponse, run)
  );
}

/** Whether two responses are equal except for the path in them. */
function isEqualResponse(first: CompleteResponse, second: CompleteResponse, run: string): boolean {
  return first.status === second.status && normalizedText(first, run) === normalizedText(second, run);
}

function normalizedText({ text, sent }: CompleteResponse, run: string): string {
  const [path = ''] = sent.path.split('?');
  return text
    .replaceAll(path, '')
    .replaceAll(run, '')
    .replace(/\/v1\b/g, '')
    .replace(/["']?\breq[-_]\w+["']?|\d+/g, '')
    .slice(0, 2000);
}
