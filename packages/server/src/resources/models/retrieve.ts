import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import { wireModel } from './list.ts';

/** GET /models/{model} */
export function retrieveModel({ params }: Call, kit: ServerContext): Reply {
  const id = params['model'] ?? '';
  const served =
    kit.models.find(id) ?? kit.embeddingModels.find(id) ?? kit.moderationModels.find(id) ?? kit.videoModels.find(id);
  const model = served?.model ?? kit.options.passThrough?.models().find((forwarded) => forwarded.id === id);
  if (!model) throw kit.models.missing(id);
  return { status: 200, body: wireModel({ ...model, id }) };
}
