import type { Answer } from '../../exchange/answer.ts';
import type { Call } from '../../exchange/call.ts';
import { eventsOf } from '../../exchange/events.ts';
import type { EventStream } from '../../exchange/events.ts';
import { hello } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { assertConforms } from '../../verdict.ts';

/** Sends a chat with these fields besides model and messages. Equal fields share one request; a different `copy` sends another. */
export function askChat(world: World, fields: object = {}, copy = ''): Promise<Answer> {
  return world.asked(`chat ${copy} ${JSON.stringify(fields)}`, () => chatCall(world, fields));
}

export async function chatCall(world: World, fields: object): Promise<Call> {
  const body = { model: await world.chatModel(), messages: hello, ...fields };
  return { method: 'POST', path: '/chat/completions', body };
}

/** A successful stream and its parsed events. */
export async function askStream(world: World, fields: object = {}): Promise<EventStream> {
  const answer = await askChat(world, { stream: true, ...fields });
  assertConforms(answer, answer.status === 200, `The stream request returns ${answer.status}.`);
  return eventsOf(answer);
}
