import type { ChatEngine, EmbeddingEngine, ModerationEngine } from '@modelwire/ports';
import type { ModelCapabilities } from '@modelwire/schema/types';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import type { ModelRegistry } from '../model-registry.ts';
import type { ConsoleEngine, ConsoleStatus } from '../option-types.ts';
import type { ModelKind } from '../resources/models/list.ts';
import { capabilitiesOf } from '../resources/models/capabilities.ts';

interface ModelStatus {
  readonly id: string;
  readonly kinds: readonly ModelKind[];
  readonly created: number;
  readonly owned_by: string;
  /** Name of the engine that serves it, such as `upstream` or `simulator`. */
  readonly engine: string;
  /** Other names that requests may use for it. */
  readonly aliases: readonly string[];
  /** Capabilities of a chat model; null for other models. */
  readonly capabilities: ModelCapabilities | null;
}

interface Status extends ConsoleStatus {
  readonly version: string;
  /** Number of requests that have not ended, including streams. */
  readonly in_flight: number;
  readonly models: readonly ModelStatus[];
  readonly engines: readonly ConsoleEngine[];
}

/** GET /console/api/status: the models and their engines, queues, upstreams and storage. */
export async function readStatus(_call: Call<undefined, undefined>, server: ServerContext): Promise<Reply> {
  const { options } = server;
  const reported = (await options.consoleStatus?.()) ?? { upstreams: [], storage: [] };
  const body: Status = {
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
  const add = (
    kind: ModelKind,
    {
      all,
      find,
    }: Pick<
      ModelRegistry<
        { readonly name: string },
        { readonly id: string; readonly created: number; readonly owned_by: string }
      >,
      'all' | 'find'
    >,
  ): void => {
    for (const { id, created, owned_by } of all()) {
      // Registries list aliases as models.
      if (server.options.modelAliases.has(id)) continue;
      const existing = statuses.get(id);
      statuses.set(id, {
        id,
        created,
        owned_by,
        engine: existing?.engine ?? find(id)?.engine.name ?? '',
        kinds: [...(existing?.kinds ?? []), kind],
        aliases: [...server.options.modelAliases].flatMap(([alias, target]) => (target === id ? [alias] : [])),
        capabilities: capabilitiesOf(server, id) ?? null,
      });
    }
  };
  add('chat', server.models);
  add('embedding', server.embeddingModels);
  add('moderation', server.moderationModels);
  add('video', server.videoModels);
  return [...statuses.values()];
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
