import type { ServerContext } from '../context.ts';
import { unsupportedValue } from '../errors.ts';
import type { RequestError } from '../errors.ts';

type Kind = 'chat' | 'embeddings' | 'moderation' | 'videos';

/**
 * The error for a model that an endpoint does not serve: a 400 that says what it is for, if it is a model of another kind, and otherwise the
 * 404, which names upstreams that could not be asked.
 */
export function modelNotServed(id: string, kind: Kind, server: ServerContext): RequestError {
  const registries = {
    chat: server.models,
    embeddings: server.embeddingModels,
    moderation: server.moderationModels,
    videos: server.videoModels,
  } as const;
  // An engine that serves any name does not tell what the name is for.
  const kinds = (Object.keys(registries) as Kind[]).filter((each) => {
    const model = registries[each].find(id)?.model;
    return model !== undefined && registries[each].findListed(model.id) !== undefined;
  });
  if (kinds.length === 0) {
    const isForwarded = server.options.passThrough?.models().some((model) => model.id === id) === true;
    if (!isForwarded) return server.models.notFoundError(id);
    const message = `the model '${id}' is not a model for ${kind}: it is served at the paths that are forwarded to its upstream.`;
    return unsupportedValue('model', `Unsupported value: ${message}`);
  }
  return unsupportedValue(
    'model',
    `Unsupported value: the model '${id}' is a model for ${kinds.join(' and ')}, not for ${kind}.`,
  );
}
