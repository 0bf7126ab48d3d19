import { Pool } from 'undici';
import { modelNotFound } from '@modelwire/server';
import type { ChatEngine, EngineContext, Relayed } from '@modelwire/server';
import { ask } from './attempts.ts';
import type { Call, Server, Target } from './attempts.ts';
import { createBreaker } from './breaker.ts';
import { chunkEvents } from './chunk-events.ts';
import type { UpstreamOptions } from './options.ts';
import { askingOrder } from './order.ts';
import { generateBody, relayBody } from './outgoing-body.ts';
import { readPayloads } from './payloads.ts';
import { resolveOptions } from './settings.ts';
import type { ServerSettings, Settings, TargetSettings } from './settings.ts';
import { readCompletion } from './whole-body.ts';

/**
 * A chat engine in front of servers of the same interface. Throws a `TypeError` that names the option when one is wrong.
 *
 * Replies pass through as they come (`relay`); where the kit enforces `n`, `stop` or a token limit itself, they are taken
 * apart into events (`generate`). Every failure is a `RequestError` without addresses, keys or raw bodies.
 * `close` breaks off what still runs: drain first.
 */
export function createUpstream(options: UpstreamOptions): ChatEngine {
  const settings = resolveOptions(options, Math.floor(Date.now() / 1000));
  const servers = new Map(settings.servers.map((server) => [server.name, startServer(server, settings)]));
  const routes = new Map(
    settings.models.map(({ model, shared, fallback }) => [model.id, { shared: aim(shared), fallback: aim(fallback) }]),
  );
  const models = Object.freeze(settings.models.map(({ model }) => model));

  function aim(targets: readonly TargetSettings[]): readonly Target[] {
    return targets.flatMap(({ server: name, ...rest }) => {
      const server = servers.get(name);
      return server === undefined ? [] : [{ ...rest, server }];
    });
  }

  function call(context: EngineContext, body: Call['body'], accept: Call['accept']): Call {
    const publicId = context.model.id;
    const route = routes.get(publicId);
    if (route === undefined) throw modelNotFound(publicId);
    return {
      targets: askingOrder(route.shared, route.fallback, Math.random),
      publicId,
      body,
      accept,
      requestId: context.requestId,
      signal: context.signal,
      retries: settings.retries,
    };
  }

  return {
    name: settings.name,
    models: () => models,
    async relay(_request, context): Promise<Relayed> {
      const streamed = context.wire.stream === true;
      const answer = await ask(call(context, relayBody(context), streamed ? 'text/event-stream' : 'application/json'));
      return streamed
        ? { kind: 'stream', payloads: readPayloads(answer, context.wire.n ?? 1) }
        : { kind: 'whole', completion: await readCompletion(answer) };
    },
    generate(request, context) {
      return chunkEvents(async () => {
        const answer = await ask(call(context, generateBody(request, context), 'text/event-stream'));
        return readPayloads(answer, request.n);
      }, request.n);
    },
    async close() {
      await Promise.all([...servers.values()].map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

function startServer(settings: ServerSettings, { breaker }: Settings): Server {
  const dispatcher = new Pool(settings.origin, {
    connections: settings.connections,
    connect: { timeout: settings.timeouts.connect },
    // A reply that is broken off resets its stream and must not wait behind others on one connection.
    allowH2: false,
  });
  return { settings, dispatcher, breaker: createBreaker({ ...breaker, now: () => performance.now() }) };
}
