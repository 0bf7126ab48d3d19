import { modelNotFound, unsupportedValue } from '../errors.ts';
import type { RequestError } from '../errors.ts';
import type { ServerContext } from '../context.ts';
import { modelKinds } from '../models/registries.ts';
import type { ModelKind } from '../models/registries.ts';

/** What the models of each kind are for, in messages. */
const uses: Readonly<Record<ModelKind, string>> = {
  chat: 'chat',
  embedding: 'embeddings',
  moderation: 'moderation',
  video: 'videos',
};

/**
 * The model of a kind that a request names.
 *
 * @throws for one that is not served: a 400 that says what it is for, if it is a model of another kind, and otherwise the 404.
 */
export function requireModel<Kind extends ModelKind>(kind: Kind, id: string, server: ServerContext) {
  const found = server.models[kind].find(id);
  if (!found) throw notServed(kind, id, server);
  return found;
}

/** The same, for the work of a request with this model. */
export function requireModelOfWork<Kind extends ModelKind>(kind: Kind, requested: string, server: ServerContext) {
  const resolved = requireModel(kind, requested, server);
  const { id } = resolved.model;
  return { model: { requested, id, metered: () => id }, resolved };
}

/** The 404 for a model. It names the upstreams that could not be asked for their models. */
export function unknownModel(id: string, { options }: Pick<ServerContext, 'options'>): RequestError {
  return modelNotFound(
    id,
    options.engines.flatMap((engine) => engine.unaskedUpstreams?.() ?? []),
  );
}

function notServed(kind: ModelKind, id: string, server: ServerContext): RequestError {
  // An engine that serves any name does not tell what the name is for.
  const others = modelKinds.filter((each) => {
    const model = server.models[each].find(id)?.model;
    return model !== undefined && server.models[each].findListed(model.id) !== undefined;
  });
  if (others.length === 0) {
    const isForwarded = server.options.passThrough?.models().some((model) => model.id === id) === true;
    if (!isForwarded) return unknownModel(id, server);
    const message = `the model '${id}' is not a model for ${uses[kind]}: it is served at the paths that are forwarded to its upstream.`;
    return unsupportedValue('model', `Unsupported value: ${message}`);
  }
  const otherUses = others.map((each) => uses[each]).join(' and ');
  return unsupportedValue(
    'model',
    `Unsupported value: the model '${id}' is a model for ${otherUses}, not for ${uses[kind]}.`,
  );
}
