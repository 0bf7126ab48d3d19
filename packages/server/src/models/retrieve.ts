import { modelNotFound } from '../errors.ts';
import type { Kit } from '../kit.ts';
import type { Call, Reply } from '../request/call.ts';
import { wireModel } from './list.ts';

/** GET /models/{model} */
export function retrieveModel({ params }: Call, kit: Kit): Reply {
  const id = params['model'] ?? '';
  const served = kit.models.find(id) ?? kit.moderationModels.find(id) ?? kit.videoModels.find(id);
  if (!served) throw modelNotFound(id);
  return { status: 200, body: wireModel({ ...served.model, id }) };
}
