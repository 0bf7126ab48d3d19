import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import { serverStats } from '../server-stats.ts';
import { capabilitiesOf } from '../resources/models/models.ts';
import { modelKinds } from '../models/registries.ts';
import type { ModelStatus, ServerStatus } from './api-types.ts';

/** GET /console/api/status: the models and their engines, queues, upstreams and storage. */
export async function readStatus(_call: Call<undefined, undefined>, server: ServerContext): Promise<Reply> {
  const { options } = server;
  const reported = (await options.consoleStatus?.()) ?? { upstreams: [], storage: [] };
  const { requestsInFlight, engines } = serverStats(server);
  const body: ServerStatus = {
    version: options.version,
    in_flight: requestsInFlight,
    models: modelsOf(server),
    engines,
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
