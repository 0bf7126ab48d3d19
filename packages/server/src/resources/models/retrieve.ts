import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import { isModelAllowed } from '../../limits/policies.ts';
import { wireModel } from './list.ts';

/** GET /models/{model}: a 404 for a model that the key or its project may not use. */
export async function retrieveModel(
  { params, principal }: Pick<Call, 'params' | 'principal'>,
  server: ServerContext,
): Promise<Reply> {
  const id = params['model'] ?? '';
  const served =
    server.models.find(id) ??
    server.embeddingModels.find(id) ??
    server.moderationModels.find(id) ??
    server.videoModels.find(id);
  const model = served?.model ?? server.options.passThrough?.models().find((forwarded) => forwarded.id === id);
  const policy = await server.policies?.of(principal);
  if (!model || (policy && !isModelAllowed(policy, [id, model.id]))) throw server.models.missing(id);
  return { status: 200, body: wireModel({ ...model, id }) };
}
