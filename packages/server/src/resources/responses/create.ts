import { DONE_EVENT } from '@modelwire/core';
import type { ResponseCreateParams, ResponseObject } from '@modelwire/schema/types';
import type { BackgroundRun, Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import type { JsonReply } from '../../http/reply.ts';
import { streamReply } from '../../streaming/event-pipe.ts';
import type { StreamedReply } from '../../streaming/event-pipe.ts';
import { assertCanRunInBackground, createBackgroundResponse } from './create-background.ts';
import { prepareResponse } from './prepare-response.ts';
import type { PreparedResponse } from './prepare-response.ts';
import { runResponse } from './run-response.ts';
import { conversationIdOf } from './history.ts';
import { storeTurn } from './store-turn.ts';
import { writeEventsTo, writeMessagesTo } from './event-sequence.ts';

/** POST /responses. */
export async function createResponse(
  call: Call<ResponseCreateParams>,
  server: ServerContext,
): Promise<JsonReply<ResponseObject> | StreamedReply> {
  const { background } = call;
  const prepared = await prepareResponse(call, call.body, server, background);
  if (background) return runInBackground(prepared, call, server, background);
  if (call.body.background) {
    assertCanRunInBackground(prepared);
    // The result of a batch line is the response that has ended: the batch runs in the background already.
    if (!call.batchLine) return createBackgroundResponse(prepared, call, server);
  }
  if (call.body.stream) return streamResponse(prepared, call, server);
  return {
    status: 200,
    body: await runResponse({ prepared, call, server, store: storeOf(prepared, call, server) }),
  };
}

/** Generates a response that was created before. */
async function runInBackground(
  prepared: PreparedResponse,
  call: Call<ResponseCreateParams>,
  server: ServerContext,
  background: BackgroundRun,
): Promise<JsonReply<ResponseObject>> {
  const { add: write } = background;
  let hasOutput = false;
  await background.begin();
  const response = await runResponse({
    prepared,
    call,
    server,
    ...(background.isStreamed && { write, firstSequenceNumber: background.nextSequence() }),
    afterEvents() {
      hasOutput = true;
      return background.flush();
    },
    mayThrow: () => !hasOutput || call.client.reason !== undefined || background.isLost(),
  });
  await background.end(response);
  return { status: response.status === 'failed' ? 500 : 200, body: response };
}

/** The response as events. Resolves with the first bytes: until then an error is an HTTP status, afterwards it is an event. */
function streamResponse(
  prepared: PreparedResponse,
  call: Call<ResponseCreateParams>,
  server: ServerContext,
): Promise<StreamedReply> {
  const isObfuscated = call.body.stream_options?.include_obfuscation ?? true;
  const engine = server.models.chat.find(call.body.model)?.engine;
  const { recentResponse } = call.request;
  return streamReply(call, server, engine, async (sink) => {
    const response = await runResponse({
      prepared,
      call,
      server,
      store: storeOf(prepared, call, server),
      write: (recentResponse ? writeMessagesTo : writeEventsTo)(sink, isObfuscated),
      afterEvents: () => (sink.isFull ? sink.drained().then(() => !sink.isClosed) : !sink.isClosed),
      // No events are sent to a client that has disconnected.
      mayThrow: () => !sink.hasStarted || sink.isClosed,
      onFailure: (error) => sink.fail(error),
    });
    if (recentResponse) recentResponse.end(response);
    else sink.write(DONE_EVENT);
  });
}

/** Returns the function that stores the response; undefined if it is not stored. */
function storeOf(
  prepared: PreparedResponse,
  call: Call<ResponseCreateParams>,
  server: ServerContext,
): ((response: ResponseObject) => Promise<void>) | undefined {
  const isKept =
    prepared.base.store || prepared.base.conversation !== null || call.request.recentResponse !== undefined;
  return isKept ? (response) => store(response, prepared, call, server) : undefined;
}

/** Stores the response with the input of its turn, and adds both to the conversation of the request. */
async function store(
  response: ResponseObject,
  { body, history, input }: PreparedResponse,
  { principal, request, logRecord }: Call<ResponseCreateParams>,
  server: ServerContext,
): Promise<void> {
  const stores = server.options.stores?.project(principal.project);
  if (stores) await storeTurn({ response, input, conversation: conversationIdOf(body) }, stores, server, principal);
  if (stores && response.store) logRecord.response = response.id;
  if (response.store) request.recentResponse?.clear();
  else if (response.status !== 'failed') {
    request.recentResponse?.save(response.id, [...history, ...input, ...response.output]);
  }
}
