import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import { wireModel } from './list.ts';

/** GET /models/{model} */
export function retrieveModel({ params }: Call, server: ServerContext): Reply {
  const id = params['model'] ?? '';
  const served =
    server.models.find(id) ??
    server.embeddingModels.find(id) ??
    server.moderationModels.find(id) ??
    server.videoModels.find(id);
  const model = served?.model ?? server.options.passThrough?.models().find((forwarded) => forwarded.id === id);
  if (!model) throw server.models.missing(id);
  return { status: 200, body: wireModel({ ...model, id }) };
}
