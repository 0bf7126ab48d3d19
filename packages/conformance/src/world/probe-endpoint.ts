import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { succeeded } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { textAt, valueAt } from '../exchange/value.ts';
import { unknownId, pathOf, validCall } from './calls.ts';
import type { EndpointAvailability, World } from './world.ts';
import { Skip } from '../verdict.ts';

/**
 * Sends a valid request to the endpoint and decides by the response whether it is served. An endpoint that is not served
 * responds as an unknown path does; if no ID for the path is available, an invented one is used.
 */
export async function probeEndpoint(world: World, endpoint: EndpointId): Promise<EndpointAvailability> {
  const { method } = contract[endpoint].route;
  const nowhere = (): Promise<Answer> =>
    world.asked(`${method} nowhere`, () => ({
      method,
      path: `/modelwire-conformance/${world.run}`,
      ...(method === 'POST' && { body: {} }),
    }));
  let answer: Answer;
  let reason: string | undefined;
  try {
    const call = await validCall(world, endpoint);
    answer = await world.send(call);
    if (succeeded(answer) && isOfAnother(endpoint, call.path, answer)) return { served: false, answer };
  } catch (thrown) {
    if (!(thrown instanceof Skip)) throw thrown;
    reason = thrown.message;
    answer = await world.send({ method, path: pathOf(endpoint, unknownId(world, endpoint)), ...(method === 'POST' && { body: {} }) }); // prettier-ignore
  }
  if (succeeded(answer) && !isPage(answer))
    return reason === undefined ? { served: true, answer } : { served: true, reason };
  if (meansNothingHere(answer, await nowhere(), world.run)) return { served: false, answer };
  return reason === undefined ? { served: true, answer } : { served: true, reason };
}

/** Endpoints whose response has the requested ID. */
const ANSWERS_ITS_ID =
  /^(?:chat\.completions|batches|uploads|files|videos|models|responses|conversations)\.(?:retrieve|update|delete|cancel|complete)$/;

/** Some servers respond to every path below one as to that path itself. */
function isOfAnother(endpoint: EndpointId, path: string, answer: Answer): boolean {
  if (!ANSWERS_ITS_ID.test(endpoint)) return false;
  const id = textAt(answer.json, 'id');
  return id === undefined || !path.split('/').map(decodeURIComponent).includes(id);
}

/** An HTML page, which some API servers return for unknown paths. */
const isPage = ({ headers }: Answer): boolean => /^text\/html/i.test(headers.get('content-type') ?? '');

function meansNothingHere(answer: Answer, nowhere: Answer, run: string): boolean {
  if (isPage(answer)) return true;
  if (answer.status === 501) return true;
  if (answer.status !== 404 && answer.status !== 405) return answer.status >= 400 && same(answer, nowhere, run);
  return valueAt(answer.json, 'error') === undefined || answer.status === 405 || same(answer, nowhere, run);
}

/** Whether two responses are equal except for the path in them. */
function same(one: Answer, other: Answer, run: string): boolean {
  return one.status === other.status && gist(one, run) === gist(other, run);
}

function gist({ text, sent }: Answer, run: string): string {
  const [path = ''] = sent.path.split('?');
  return text.replaceAll(path, '').replaceAll(run, '').replace(/\/v1\b/g, '').replace(/["']?\breq[-_]\w+["']?|\d+/g, '').slice(0, 2000); // prettier-ignore
}
