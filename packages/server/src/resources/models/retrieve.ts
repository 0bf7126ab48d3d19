import { isModelAllowed } from '../../limits/policies.ts';
import { modelKinds } from '../../models/registries.ts';
import { unknownModel } from '../../generation/require-model.ts';
import { wireModel } from './list.ts';
import type { Handlers } from '../../http/implement.ts';

/** GET /models/{model}: a 404 for a model that the key or its project may not use. */
export const retrieveModel: Handlers['models.retrieve'] = async ({ params, principal }, server) => {
  const id = params['model'] ?? '';
  const matches = modelKinds.flatMap((kind) => {
    const found = server.models[kind].find(id);
    return found ? [{ kind, model: found.model }] : [];
  });
  const model = matches[0]?.model ?? server.options.passThrough?.models().find((forwarded) => forwarded.id === id);
  const policy = await server.policies.get(principal);
  if (!model || !isModelAllowed(policy, [id, model.id])) throw unknownModel(id, server);
  const kinds = matches.length > 0 ? matches.map(({ kind }) => kind) : undefined;
  return { status: 200, body: wireModel({ ...model, id }, kinds) };
};
