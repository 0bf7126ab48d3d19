import type { Model, ModelList } from '@modelwire/schema/types';
import type { ListedModel } from '@modelwire/ports';
import { isModelAllowed } from '../../limits/policies.ts';
import { modelKinds } from '../../models/registries.ts';
import type { ModelKind } from '../../models/registries.ts';
import type { Handlers } from '../../http/implement.ts';

/** GET /models: all models that the key and its project may use, as a list without pages. */
export const listModels: Handlers['models.list'] = async ({ principal }, server) => {
  const policy = await server.policies.get(principal);
  // A model may have several kinds: an upstream lists all of its models, of every kind.
  const models = new Map<string, Model>();
  const isAllowed = (id: string): boolean => {
    const ids = [id, ...modelKinds.flatMap((kind) => server.models[kind].find(id)?.model.id ?? [])];
    return isModelAllowed(policy, ids);
  };
  for (const kind of modelKinds) {
    for (const model of server.models[kind].all()) {
      const listed = models.get(model.id);
      if (listed) models.set(model.id, { ...listed, kinds: [...(listed.kinds ?? []), kind] });
      else if (isAllowed(model.id)) models.set(model.id, wireModel(model, [kind]));
    }
  }
  for (const model of server.options.passThrough?.models() ?? []) {
    if (!models.has(model.id) && isAllowed(model.id)) models.set(model.id, wireModel(model));
  }
  const body: ModelList = { object: 'list', data: [...models.values()] };
  return { status: 200, body };
};

/** `kinds` is absent for a model of an upstream whose kind is unknown. */
export function wireModel({ id, created, owned_by }: ListedModel, kinds?: readonly ModelKind[]): Model {
  return { id, object: 'model', created, owned_by, ...(kinds && { kinds }) };
}
