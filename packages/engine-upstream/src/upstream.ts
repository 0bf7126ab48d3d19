import { stringifyJson } from '@modelwire/adapter-kit/internal';
import { routeRequest } from '@modelwire/adapter-kit/internal';
import { modelNotFound } from '@modelwire/ports';
import type {
  BatchExchange,
  ChatEngine,
  ChatEvent,
  ChatRequest,
  EmbeddingEngine,
  EngineBatchLine,
  EngineContext,
  NativeMessageRequest,
  Relayed,
  RelayedChunk,
} from '@modelwire/ports';
import { requestUpstream } from './attempts/attempts.ts';
import type { Call, OpenReply } from './attempts/attempts.ts';
import { exchangeInBatch } from './batches/batch-exchange.ts';
import { batchProviders, ownRoute } from './batches/batch-providers.ts';
import { createEmbed } from './embeddings.ts';
import { chunkEvents } from './replies/chunk-events.ts';
import { echoEvents } from './replies/echo-events.ts';
import type { Circuit } from './attempts/circuit-breakers.ts';
import { connectServer } from './connect.ts';
import { shuttingDown, unexpectedReply } from './attempts/failures.ts';
import { forcedToolCall, toolCallEvents } from './replies/forced-tool-call.ts';
import type { ForcedToolCall } from './replies/forced-tool-call.ts';
import type { UpstreamOptions } from './presets/options.ts';
import { generateBody, notStreamed, relayBody, textCompletionBody } from './requests/outgoing-body.ts';
import type { SerializeBody } from './requests/outgoing-body.ts';
import { openChatStream } from './replies/chat-stream.ts';
import type { ExpectedReply } from './replies/chunk-normalizer.ts';
import type { Payloads } from './replies/payloads.ts';
import { forcesToolCallsBySchema, hasPromptLogprobs } from './presets/presets.ts';
import { resolveOptions } from './presets/settings.ts';
import { openMessageStream, readMessage, readMessageTokens } from './replies/message-events.ts';
import { openResponse } from './replies/response-events.ts';
import { createRoute, targetOf } from './routing/route.ts';
import type { Route } from './routing/route.ts';
import { createToolTemplates } from './tool-templates.ts';
import { openCompletion } from './replies/complete-body.ts';

/** A chat engine in front of other servers. It also forwards requests for embeddings: pass it as an embedding engine, too. */
export interface UpstreamEngine extends ChatEngine, Pick<EmbeddingEngine, 'embed'> {
  complete: NonNullable<ChatEngine['complete']>;
  respond: NonNullable<ChatEngine['respond']>;
  createMessage: NonNullable<ChatEngine['createMessage']>;
  countMessageTokens: NonNullable<ChatEngine['countMessageTokens']>;
  batchProviders: NonNullable<ChatEngine['batchProviders']>;
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
    settings.models.map((model) => [
      model.model.id,
      createRoute(model, { servers, circuitBreakers: settings.circuitBreakers, options: settings.routing }),
    ]),
  );
  const models = Object.freeze(settings.models.map(({ model }) => model));
  const toolTemplates = createToolTemplates(() => performance.now());

  /** Requests without a reply, which may still try another server. */
  let pendingRequests = 0;
  let closePromise: Promise<void> | undefined;
  let onAllReplied: (() => void) | undefined;

  async function send<Result>(call: Call, open: OpenReply<Result>, batch?: BatchExchange): Promise<Result> {
    if (closePromise !== undefined) throw shuttingDown();
    pendingRequests += 1;
    try {
      const target = batch && targetOf(resolveRoute(call.publicId), batch.upstream);
      const exchanged = batch && target && (await exchangeInBatch(call, open, { batch, target }));
      return exchanged ? exchanged.result : await requestUpstream(call, open);
    } finally {
      pendingRequests -= 1;
      if (pendingRequests === 0) onAllReplied?.();
    }
  }

  function createCall(
    context: EngineContext,
    { accept, path, body, headers, route = routeOf(context.model.id, context.batchLine) }: CallInit,
  ): Call {
    return {
      ...routeRequest(route, settings.routing, context),
      publicId: route.model,
      retries: settings.retries,
      path,
      body,
      accept,
      headers,
      requestId: context.requestId,
      signal: context.signal,
      onUpstream: context.reportUpstream?.bind(context),
      observer: context.observer,
    };
  }

  interface CallInit extends Pick<Call, 'accept' | 'path' | 'body' | 'headers'> {
    /** Default: that of the model. */
    readonly route?: Route;
  }

  interface ChatCallInit<Result> {
    readonly body: Call['body'];
    readonly accept: Call['accept'];
    readonly open: OpenReply<Result>;
  }

  async function sendChat<Result>(
    request: ChatRequest,
    context: EngineContext,
    { body, accept, open }: ChatCallInit<Result>,
  ): Promise<Result> {
    const ofModel = routeOf(context.model.id, context.batchLine);
    const route = toolTemplates.needsToolSupport(request) ? await toolTemplates.restrict(ofModel) : ofModel;
    const call = createCall(context, { accept, path: '/chat/completions', body, route });
    return send(call, open, context.batchLine?.exchange);
  }

  /** Lines of batches that are not submitted to an upstream are not sent there either, if another one serves the model. */
  function routeOf(publicId: string, batchLine: EngineBatchLine | undefined): Route {
    const route = resolveRoute(publicId);
    return batchLine && batchLine.exchange === undefined ? ownRoute(route) : route;
  }

  function resolveRoute(publicId: string): Route {
    const route = routes.get(publicId);
    if (route === undefined) throw modelNotFound(publicId);
    return route;
  }

  function expectedReply({ n, tools }: ChatRequest): ExpectedReply {
    const names = tools.map((tool) => (tool.type === 'function' ? tool.function.name : tool.custom.name));
    return {
      choiceCount: n,
      toolNames: new Set(names),
      onUnknownFinishReason: options.onUnknownFinishReason,
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
      const body = relayBody(context);
      const expected = expectedReply({ ...request, n: context.requestBody.n ?? 1 });
      if (context.requestBody.stream !== true) {
        const completion = await sendChat(request, context, {
          body,
          accept: 'application/json',
          open: openCompletion(expected),
        });
        return { kind: 'completion', completion };
      }
      const open = openChatStream(expected);
      return {
        kind: 'stream',
        payloads: await sendChat(request, context, { body, accept: 'text/event-stream', open }),
      };
    },
    generate(request, context) {
      const forced = forcedToolCall(request);
      const send = (): Promise<Payloads<RelayedChunk>> =>
        sendChat(request, context, {
          body: generateBody(request, context, forced),
          accept: 'text/event-stream',
          open: openChatStream(expectedReply(request)),
        });
      return forced ? generateForcedCall(send, forced, request.n) : chunkEvents(send, request.n);
    },
    async *respond(body, context) {
      const createBody: SerializeBody = (model, { isBatched = false }) =>
        stringifyJson({ ...body, ...(isBatched && notStreamed), model });
      const call = createCall(context, { accept: 'text/event-stream', path: '/responses', body: createBody });
      yield* await send(call, openResponse, context.batchLine?.exchange);
    },
    async *createMessage(request, context) {
      const init = { path: '/messages', ...messageInit(request) } as const;
      if (request.body['stream'] === true)
        yield* await send(createCall(context, { ...init, accept: 'text/event-stream' }), openMessageStream);
      else yield [await send(createCall(context, { ...init, accept: 'application/json' }), readMessage)];
    },
    countMessageTokens(request, context) {
      const { model, requestId, signal } = context;
      const routed = routeRequest(resolveRoute(model.id), settings.routing);
      const onUpstream = context.reportUpstream?.bind(context);
      const { retries } = settings;
      const call = { ...routed, publicId: model.id, requestId, signal, retries, onUpstream, ...messageInit(request) };
      return send({ ...call, path: '/messages/count_tokens', accept: 'application/json' }, readMessageTokens);
    },
    textCompletions: {
      tokens: true,
      suffix: true,
      echo(modelId) {
        const { shared = [], fallback = [] } = routes.get(modelId) ?? {};
        return [...shared, ...fallback].every(({ server }) => hasPromptLogprobs(server.settings.preset));
      },
    },
    complete(request, context) {
      const body = textCompletionBody(request, context);
      const call = createCall(context, { accept: 'text/event-stream', path: '/completions', body });
      const { exchange } = context.batchLine ?? {};
      const events = chunkEvents(() => send(call, openChatStream(expectedReply(request)), exchange), request.n);
      return request.echo
        ? echoEvents(events, request, () => unexpectedReply('without the prompt', settings.name).error)
        : events;
    },
    embed: createEmbed((model, { batchLine, ...call }, open) => {
      const routed = routeRequest(routeOf(model, batchLine), settings.routing);
      return send({ ...routed, ...call, publicId: model, retries: settings.retries }, open, batchLine?.exchange);
    }),
    batchProviders: (model) => batchProviders(resolveRoute(model)),
    circuits: settings.circuitBreakers.circuits,
    close: () => (closePromise ??= close()),
  };
}

function messageInit({ body, betas }: NativeMessageRequest): Pick<Call, 'body' | 'headers'> {
  return {
    body: (model) => stringifyJson({ ...body, model }),
    headers: betas === null ? undefined : { 'anthropic-beta': betas },
  };
}

/** The form of the request for a tool call depends on the server that replied. */
async function* generateForcedCall(
  send: () => Promise<Payloads<RelayedChunk>>,
  forced: ForcedToolCall,
  choiceCount: number,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const payloads = await send();
  const { name, preset } = payloads.server;
  const events = chunkEvents(() => Promise.resolve(payloads), choiceCount);
  if (!forcesToolCallsBySchema(preset)) yield* events;
  else yield* toolCallEvents(events, forced, () => unexpectedReply('not the tool call that was required', name).error);
}
