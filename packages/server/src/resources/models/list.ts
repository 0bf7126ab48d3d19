import type { Model, ModelList } from '@modelwire/schema/types';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import type { ListedModel } from '../../model-registry.ts';

/** GET /models: all of them, as the interface's list without pages. */
export function listModels(_call: Call, server: ServerContext): Reply {
  // An id may be of several kinds: an upstream lists all of its models, whatever they do.
  const models = new Map<string, Model>();
  const registries = [server.models, server.embeddingModels, server.moderationModels, server.videoModels];
  const forwarded = server.options.passThrough?.models() ?? [];
  for (const model of [...registries.flatMap((registry): readonly ListedModel[] => registry.all()), ...forwarded]) {
    if (!models.has(model.id)) models.set(model.id, wireModel(model));
  }
  const body: ModelList = { object: 'list', data: [...models.values()] };
  return { status: 200, body };
}

export function wireModel({ id, created, owned_by }: ListedModel): Model {
  return { id, object: 'model', created, owned_by };
}
