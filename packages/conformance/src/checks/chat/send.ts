import type { CompleteResponse } from '../../exchange/response.ts';
import type { Call } from '../../exchange/call.ts';
import type { EventStream } from '../../exchange/events.ts';
import { helloMessages } from '../../context/create-objects.ts';
import type { RunContext } from '../../context/run-context.ts';
import { successfulStream } from '../../verdict.ts';

/** Sends a chat with these fields besides model and messages. Equal fields share one request; a different `copy` sends another. */
export function sendChat(context: RunContext, fields: object = {}, copy = ''): Promise<CompleteResponse> {
  return context.sendOnce(`chat ${copy} ${JSON.stringify(fields)}`, () => chatCall(context, fields));
}

export async function chatCall(context: RunContext, fields: object): Promise<Call> {
  const body = { model: await context.chatModel(), messages: helloMessages, ...fields };
  return { method: 'POST', path: '/chat/completions', body };
}

/** A successful stream and its parsed events. */
export async function sendChatStream(context: RunContext, fields: object = {}): Promise<EventStream> {
  return successfulStream(await sendChat(context, { stream: true, ...fields }));
}
