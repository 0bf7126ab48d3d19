import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { isSuccess } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { textAt, valueAt } from '../exchange/value.ts';
import { unknownId, resolvePath, validCall } from './calls.ts';
import type { EndpointAvailability, World } from './world.ts';
import { Skip } from '../verdict.ts';

/**
 * Sends a valid request to the endpoint and decides by the response whether it is served. An endpoint that is not served
 * responds as an unknown path does; if no ID for the path is available, an invented one is used.
 */
export async function probeEndpoint(world: World, endpoint: EndpointId): Promise<EndpointAvailability> {
  const { method } = contract[endpoint].route;
  const unknownPathResponse = (): Promise<Answer> =>
    world.sendOnce(`${method} nowhere`, () => ({
      method,
      path: `/modelwire-conformance/${world.runId}`,
      ...(method === 'POST' && { body: {} }),
    }));
  let answer: Answer;
  let reason: string | undefined;
  try {
    const call = await validCall(world, endpoint);
    answer = await world.send(call);
    if (isSuccess(answer) && isOfOtherObject(endpoint, call.path, answer)) return { served: false, answer };
  } catch (thrown) {
    if (!(thrown instanceof Skip)) throw thrown;
    reason = thrown.message;
    answer = await world.send({ method, path: resolvePath(endpoint, unknownId(world, endpoint)), ...(method === 'POST' && { body: {} }) }); // prettier-ignore
  }
  if (isSuccess(answer) && !isHtmlPage(answer))
    return reason === undefined ? { served: true, answer } : { served: true, reason };
  if (isNotServed(answer, await unknownPathResponse(), world.runId)) return { served: false, answer };
  return reason === undefined ? { served: true, answer } : { served: true, reason };
}

/** Endpoints whose response has the requested ID. */
const RETURNS_ID =
  /^(?:chat\.completions|batches|uploads|files|videos|models|responses|conversations)\.(?:retrieve|update|delete|cancel|complete)$/;

/** Some servers respond to every path below one as to that path itself. */
function isOfOtherObject(endpoint: EndpointId, path: string, answer: Answer): boolean {
  if (!RETURNS_ID.test(endpoint)) return false;
  const id = textAt(answer.json, 'id');
  return id === undefined || !path.split('/').map(decodeURIComponent).includes(id);
}

/** An HTML page, which some API servers return for unknown paths. */
const isHtmlPage = ({ headers }: Answer): boolean => /^text\/html/i.test(headers.get('content-type') ?? '');

function isNotServed(answer: Answer, unknownPathResponse: Answer, run: string): boolean {
  if (isHtmlPage(answer)) return true;
  if (answer.status === 501) return true;
  if (answer.status !== 404 && answer.status !== 405)
    return answer.status >= 400 && isEqualResponse(answer, unknownPathResponse, run);
  return (
    valueAt(answer.json, 'error') === undefined ||
    answer.status === 405 ||
    isEqualResponse(answer, unknownPathResponse, run)
  );
}

/** Whether two responses are equal except for the path in them. */
function isEqualResponse(first: Answer, second: Answer, run: string): boolean {
  return first.status === second.status && normalizedText(first, run) === normalizedText(second, run);
}

function normalizedText({ text, sent }: Answer, run: string): string {
  const [path = ''] = sent.path.split('?');
  return text.replaceAll(path, '').replaceAll(run, '').replace(/\/v1\b/g, '').replace(/["']?\breq[-_]\w+["']?|\d+/g, '').slice(0, 2000); // prettier-ignore
}
