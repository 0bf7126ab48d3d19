import { chatRequest } from '@modelwire/ports/testing';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { RequestError, allCapabilities } from '@modelwire/ports';
import type { ChatEngine, ChatEvent, ChatRequest, EngineContext, RelayedChunk } from '@modelwire/ports';

export interface EngineRequest {
  readonly request: ChatRequest;
  readonly context: EngineContext;
}

/** A request for model `m` as the server kit passes it. `requestBody` may have fields that are not in the API. */
export function engineRequest(
  requestBody: Record<string, unknown> = {},
  signal?: AbortSignal,
  parsed: Partial<ChatRequest> = {},
): EngineRequest {
  const messages = [{ role: 'user', content: 'Hi' }] as const;
  const body = { model: 'm', messages, ...requestBody } as unknown as ChatCompletionCreateParams;
  return {
    request: chatRequest({ messages: body.messages, ...parsed }),
    context: {
      requestId: 'req_1',
      project: 'p',
      model: { id: 'm', created: 1, owned_by: 'us', capabilities: allCapabilities() },
      requestBody: body,
      signal: signal ?? new AbortController().signal,
    },
  };
}

export async function relayWhole(
  engine: ChatEngine,
  engineRequest: EngineRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const relayed = await engine.relay?.(engineRequest.request, engineRequest.context);
  if (relayed?.kind !== 'completion') throw new Error('The reply is not a completion.');
  return relayed.completion;
}

export async function relayStream(
  engine: ChatEngine,
  engineRequest: EngineRequest,
): Promise<AsyncIterator<readonly RelayedChunk[]>> {
  const relayed = await engine.relay?.(engineRequest.request, engineRequest.context);
  if (relayed?.kind !== 'stream') throw new Error('not a stream');
  return relayed.payloads[Symbol.asyncIterator]();
}

/** All payloads of a stream, and the error that ended it or that it could not be opened with. */
export async function drainStream(
  engine: ChatEngine,
  engineRequest: EngineRequest,
): Promise<{ payloads: string[]; error?: unknown }> {
  return relayStream(engine, engineRequest).then(drain, (error: unknown) => ({ payloads: [], error }));
}

/** All payloads, and the error that ended them. */
export async function drain(
  iterator: AsyncIterator<readonly RelayedChunk[]>,
): Promise<{ payloads: string[]; error?: unknown }> {
  const payloads: string[] = [];
  try {
    for (let step = await iterator.next(); step.done !== true; step = await iterator.next())
      payloads.push(...step.value.map(({ text }) => text));
  } catch (error) {
    return { payloads, error };
  }
  return { payloads };
}

export async function collectEvents(engine: ChatEngine, engineRequest: EngineRequest): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const some of engine.generate(engineRequest.request, engineRequest.context)) events.push(...[some].flat());
  return events;
}

/** The `RequestError` that the promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<RequestError> {
  const outcome = await promise.then(
    () => 'no error',
    (error: unknown) => error,
  );
  if (outcome instanceof RequestError) return outcome;
  throw new Error('not a RequestError', { cause: outcome });
}
