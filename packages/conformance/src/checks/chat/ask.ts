import type { Answer } from '../../exchange/answer.ts';
import type { Call } from '../../exchange/call.ts';
import { parseEvents } from '../../exchange/events.ts';
import type { EventStream } from '../../exchange/events.ts';
import { helloMessages } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { assertConforms } from '../../verdict.ts';

/** Sends a chat with these fields besides model and messages. Equal fields share one request; a different `copy` sends another. */
export function sendChat(world: World, fields: object = {}, copy = ''): Promise<Answer> {
  return world.sendOnce(`chat ${copy} ${JSON.stringify(fields)}`, () => chatCall(world, fields));
}

export async function chatCall(world: World, fields: object): Promise<Call> {
  const body = { model: await world.chatModel(), messages: helloMessages, ...fields };
  return { method: 'POST', path: '/chat/completions', body };
}

/** A successful stream and its parsed events. */
export async function sendChatStream(world: World, fields: object = {}): Promise<EventStream> {
  const answer = await sendChat(world, { stream: true, ...fields });
  assertConforms(answer, answer.status === 200, `The stream request returns ${answer.status}.`);
  return parseEvents(answer);
}
