import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { succeeded } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { textAt, valueAt } from '../exchange/value.ts';
import { madeUpId, pathOf, properCall } from './calls.ts';
import type { Serving, World } from './world.ts';
import { Skip } from '../verdict.ts';

/**
 * Asks the endpoint properly and judges by the answer. One that is not served answers as an unknown path does; where the path takes an
 * id that could not be had, one that is made up has to do.
 */
export async function serving(world: World, endpoint: EndpointId): Promise<Serving> {
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
    const call = await properCall(world, endpoint);
    answer = await world.send(call);
    if (succeeded(answer) && isOfAnother(endpoint, call.path, answer)) return { served: false, answer };
  } catch (thrown) {
    if (!(thrown instanceof Skip)) throw thrown;
    reason = thrown.message;
    answer = await world.send({ method, path: pathOf(endpoint, madeUpId(world, endpoint)), ...(method === 'POST' && { body: {} }) }); // prettier-ignore
  }
  if (succeeded(answer) && !isPage(answer))
    return reason === undefined ? { served: true, answer } : { served: true, reason };
  if (meansNothingHere(answer, await nowhere(), world.run)) return { served: false, answer };
  return reason === undefined ? { served: true, answer } : { served: true, reason };
}

/** Endpoints whose answer has the id that was asked for. */
const ANSWERS_ITS_ID =
  /^(?:chat\.completions|batches|uploads|files|videos|models)\.(?:retrieve|update|delete|cancel|complete)$/;

/** Some servers answer whatever stands below a path as they answer the path itself. */
function isOfAnother(endpoint: EndpointId, path: string, answer: Answer): boolean {
  if (!ANSWERS_ITS_ID.test(endpoint)) return false;
  const id = textAt(answer.json, 'id');
  return id === undefined || !path.split('/').map(decodeURIComponent).includes(id);
}

/** A web page, which servers of an interface give for paths they do not know. */
const isPage = ({ headers }: Answer): boolean => /^text\/html/i.test(headers.get('content-type') ?? '');

function meansNothingHere(answer: Answer, nowhere: Answer, run: string): boolean {
  if (isPage(answer)) return true;
  if (answer.status === 501) return true;
  if (answer.status !== 404 && answer.status !== 405) return answer.status >= 400 && same(answer, nowhere, run);
  return valueAt(answer.json, 'error') === undefined || answer.status === 405 || same(answer, nowhere, run);
}

/** Whether two answers say the same but for the path that they name. */
function same(one: Answer, other: Answer, run: string): boolean {
  return one.status === other.status && gist(one, run) === gist(other, run);
}

function gist({ text, sent }: Answer, run: string): string {
  const [path = ''] = sent.path.split('?');
  return text.replaceAll(path, '').replaceAll(run, '').replace(/\/v1\b/g, '').replace(/["']?\breq[-_]\w+["']?|\d+/g, '').slice(0, 2000); // prettier-ignore
}
