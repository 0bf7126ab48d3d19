import type { Model, ModelList } from '@modelwire/schema/types';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import { isModelAllowed } from '../../limits/policies.ts';
import type { ListedModel } from '../../model-registry.ts';

/** GET /models: all that the key and its project may use, as the interface's list without pages. */
export async function listModels({ principal }: Pick<Call, 'principal'>, server: ServerContext): Promise<Reply> {
  const policy = await server.policies?.of(principal);
  // An id may be of several kinds: an upstream lists all of its models, whatever they do.
  const models = new Map<string, Model>();
  const registries = [server.models, server.embeddingModels, server.moderationModels, server.videoModels];
  const forwarded = server.options.passThrough?.models() ?? [];
  for (const model of [...registries.flatMap((registry): readonly ListedModel[] => registry.all()), ...forwarded]) {
    if (models.has(model.id)) continue;
    const ids = [model.id, ...registries.flatMap((registry) => registry.find(model.id)?.model.id ?? [])];
    if (!policy || isModelAllowed(policy, ids)) models.set(model.id, wireModel(model));
  }
  const body: ModelList = { object: 'list', data: [...models.values()] };
  return { status: 200, body };
}

export function wireModel({ id, created, owned_by }: ListedModel): Model {
  return { id, object: 'model', created, owned_by };
}
