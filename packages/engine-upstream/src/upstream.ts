import { modelNotFound } from '@modelwire/ports';
import type { ChatEngine, ChatEvent, ChatRequest, EmbeddingEngine, EngineContext, Relayed } from '@modelwire/ports';
import { requestUpstream } from './attempts.ts';
import type { UpstreamReply, Call, Target } from './attempts.ts';
import { createEmbed } from './embeddings.ts';
import { chunkEvents } from './chunk-events.ts';
import type { Circuit } from './circuit-breakers.ts';
import { connectServer } from './connect.ts';
import { shuttingDown, unexpectedReply } from './failures.ts';
import { forcedToolCall, toolCallEvents } from './forced-tool-call.ts';
import type { ForcedToolCall } from './forced-tool-call.ts';
import type { UpstreamOptions } from './options.ts';
import { attemptOrder } from './attempt-order.ts';
import { generateBody, relayBody, textCompletionBody } from './outgoing-body.ts';
import { readPayloads } from './payloads.ts';
import { forcesToolCallsBySchema } from './presets.ts';
import { resolveOptions } from './settings.ts';
import type { TargetSettings } from './settings.ts';
import { readResponse } from './response-events.ts';
import { toChatChoice } from './text-completion-choice.ts';
import { createToolTemplates } from './tool-templates.ts';
import { readCompletion } from './complete-body.ts';

/** A chat engine in front of other servers. It also forwards requests for embeddings: pass it as an embedding engine, too. */
export interface UpstreamEngine extends ChatEngine, Pick<EmbeddingEngine, 'embed'> {
  complete: NonNullable<ChatEngine['complete']>;
  readonly textCompletions: NonNullable<ChatEngine['textCompletions']>;
  /** The state of the circuit breaker of each model of each upstream. */
  circuits(): readonly Circuit[];
}

/**
 * A chat engine for OpenAI-compatible servers. Throws a `TypeError` that names an invalid option.
 *
 * Replies are passed through unchanged (`relay`); if the server kit emulates `n`, `stop` or a token limit, they are converted to events
 * (`generate`). Every failure is a `RequestError` with the upstream's reason, without addresses, configured keys or raw bodies.
 *
 * `close` rejects new requests (503 `shutting_down`) and resolves when the running ones have ended. To abort them, abort their signals, as the
 * server kit does after its drain: each closes its connection immediately.
 */
export function createUpstream(options: UpstreamOptions): UpstreamEngine {
  const settings = resolveOptions(options, Math.floor(Date.now() / 1000));
  const servers = new Map(settings.servers.map((server) => [server.name, connectServer(server)]));
  const routes = new Map(
    settings.models.map(({ model, shared, fallback }) => [
      model.id,
      { shared: toTargets(shared), fallback: toTargets(fallback) },
    ]),
  );
  const models = Object.freeze(settings.models.map(({ model }) => model));
  const toolTemplates = createToolTemplates(() => performance.now());

  function toTargets(targets: readonly TargetSettings[]): readonly Target[] {
    return targets.flatMap(({ server: name, ...rest }) => {
      const server = servers.get(name);
      if (server === undefined) return [];
      return [{ ...rest, server, breaker: settings.circuitBreakers.get(name, rest.upstreamModel) }];
    });
  }

  /** Requests without a reply, which may still try another server. */
  let pendingRequests = 0;
  let closePromise: Promise<void> | undefined;
  let onAllReplied: (() => void) | undefined;

  async function send(call: Call): Promise<UpstreamReply> {
    if (closePromise !== undefined) throw shuttingDown();
    pendingRequests += 1;
    try {
      return await requestUpstream(call);
    } finally {
      pendingRequests -= 1;
      if (pendingRequests === 0) onAllReplied?.();
    }
  }

  function createCall(context: EngineContext, { accept, path, body }: Pick<Call, 'accept' | 'path' | 'body'>): Call {
    const { targets, publicId, retries } = resolveRoute(context.model.id);
    return {
      targets,
      publicId,
      retries,
      path,
      body,
      accept,
      requestId: context.requestId,
      signal: context.signal,
      onUpstream: context.reportUpstream?.bind(context),
      observer: context.observer,
    };
  }

  function sendChat(
    request: ChatRequest,
    context: EngineContext,
    body: Call['body'],
    accept: Call['accept'],
  ): Promise<UpstreamReply> {
    const call = createCall(context, { accept, path: '/chat/completions', body });
    return toolTemplates.needsToolSupport(request) ? sendChatWithTools(request, call) : send(call);
  }

  async function sendChatWithTools(request: ChatRequest, call: Call): Promise<UpstreamReply> {
    return send({ ...call, targets: await toolTemplates.filterSupporting(call.targets, request) });
  }

  function resolveRoute(publicId: string): Pick<Call, 'targets' | 'publicId' | 'retries'> {
    const route = routes.get(publicId);
    if (route === undefined) throw modelNotFound(publicId);
    return {
      targets: attemptOrder(route.shared, route.fallback, Math.random),
      publicId,
      retries: settings.retries,
    };
  }

  async function close(): Promise<void> {
    if (pendingRequests > 0) await new Promise<void>((resolve) => (onAllReplied = resolve));
    await Promise.all([...servers.values()].map(({ dispatcher }) => dispatcher.close()));
  }

  return {
    name: settings.name,
    isRemote: true,
    models: () => models,
    async relay(request, context): Promise<Relayed> {
      const isStreaming = context.requestBody.stream === true;
      const accept = isStreaming ? 'text/event-stream' : 'application/json';
      const upstreamReply = await sendChat(request, context, relayBody(context), accept);
      return isStreaming
        ? { kind: 'stream', payloads: readPayloads(upstreamReply, context.requestBody.n ?? 1) }
        : { kind: 'completion', completion: await readCompletion(upstreamReply) };
    },
    generate(request, context) {
      const forced = forcedToolCall(request);
      const open = (): Promise<UpstreamReply> =>
        sendChat(request, context, generateBody(request, context, forced), 'text/event-stream');
      return forced
        ? generateForcedCall(open, forced, request.n)
        : chunkEvents(async () => readPayloads(await open(), request.n), request.n);
    },
    async *respond(body, context) {
      const createBody = (upstreamModel: string): string => JSON.stringify({ ...body, model: upstreamModel });
      yield* readResponse(
        await send(createCall(context, { accept: 'text/event-stream', path: '/responses', body: createBody })),
      );
    },
    textCompletions: { tokens: true, suffix: true },
    complete(request, context) {
      const body = textCompletionBody(request, context);
      const open = (): Promise<UpstreamReply> =>
        send(createCall(context, { accept: 'text/event-stream', path: '/completions', body }));
      return chunkEvents(async () => readPayloads(await open(), request.n), request.n, toChatChoice);
    },
    embed: createEmbed((model, call) => send({ ...resolveRoute(model), ...call })),
    circuits: settings.circuitBreakers.circuits,
    close: () => (closePromise ??= close()),
  };
}

/** The form of the request for a tool call depends on the server that replied. */
async function* generateForcedCall(
  open: () => Promise<UpstreamReply>,
  forced: ForcedToolCall,
  choiceCount: number,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const upstreamReply = await open();
  const { name, preset } = upstreamReply.server;
  const events = chunkEvents(() => Promise.resolve(readPayloads(upstreamReply, choiceCount)), choiceCount);
  if (!forcesToolCallsBySchema(preset)) yield* events;
  else yield* toolCallEvents(events, forced, () => unexpectedReply('not the tool call that was required', name).error);
}
