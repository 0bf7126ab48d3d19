import type { Model, ModelList } from '@modelwire/schema/types';
import type { Kit } from '../kit.ts';
import type { Call, Reply } from '../request/call.ts';
import type { ListedModel } from './registry.ts';

/** GET /models: all of them, as the interface's list without pages. */
export function listModels(_call: Call, kit: Kit): Reply {
  const body: ModelList = {
    object: 'list',
    data: [...kit.models.all(), ...kit.moderationModels.all(), ...kit.videoModels.all()].map(wireModel),
  };
  return { status: 200, body };
}

export function wireModel({ id, created, owned_by }: ListedModel): Model {
  return { id, object: 'model', created, owned_by };
}
