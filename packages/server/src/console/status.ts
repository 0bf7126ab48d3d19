import type { ChatEngine, EmbeddingEngine, ModerationEngine } from '@modelwire/ports';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import type { ConsoleEngine } from '../options/types.ts';
import { capabilitiesOf } from '../resources/models/capabilities.ts';
import { modelKinds } from '../models/registries.ts';
import type { ModelStatus, ServerStatus } from './api-types.ts';

/** GET /console/api/status: the models and their engines, queues, upstreams and storage. */
export async function readStatus(_call: Call<undefined, undefined>, server: ServerContext): Promise<Reply> {
  const { options } = server;
  const reported = (await options.consoleStatus?.()) ?? { upstreams: [], storage: [] };
  const body: ServerStatus = {
    version: options.version,
    in_flight: server.inFlight.count(),
    models: modelsOf(server),
    engines: enginesOf(server),
    ...reported,
  };
  return { status: 200, body };
}

function modelsOf(server: ServerContext): readonly ModelStatus[] {
  const statuses = new Map<string, ModelStatus>();
  for (const kind of modelKinds) {
    const registry = server.models[kind];
    for (const { id, created, owned_by } of registry.all()) {
      // Registries list aliases as models.
      if (server.modelAliases.targetOf(id) !== undefined) continue;
      const existing = statuses.get(id);
      statuses.set(id, {
        id,
        created,
        owned_by,
        engine: existing?.engine ?? registry.find(id)?.engine.name ?? '',
        kinds: [...(existing?.kinds ?? []), kind],
        aliases: aliasesOf(id, server),
        capabilities: capabilitiesOf(server, id) ?? null,
      });
    }
  }
  return [...statuses.values()];
}

function aliasesOf(id: string, { modelAliases }: ServerContext): readonly string[] {
  return [...modelAliases.names(), '*'].filter((alias) => modelAliases.follow(alias) === id);
}

function enginesOf({ options, queues }: ServerContext): readonly ConsoleEngine[] {
  const queuedEngines: readonly (ChatEngine | EmbeddingEngine | ModerationEngine)[] = [
    ...new Set([...options.engines, ...options.embeddingEngines, ...options.moderationEngines]),
  ];
  return queuedEngines.map((engine) => {
    const { active, waiting } = queues.get(engine);
    return { name: engine.name, active, waiting, concurrency: engine.concurrency ?? options.engineConcurrency };
  });
}
