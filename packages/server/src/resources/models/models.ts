import type { Model, ModelCapabilities } from '@modelwire/schema/types';
import type { ListedModel } from '@modelwire/ports';
import { isModelAllowed } from '../../limits/policies.ts';
import { modelKinds } from '../../models/registries.ts';
import type { ModelKind } from '../../models/registries.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { speaksMessages } from '../../http/message-errors.ts';
import { supportedFormats, supportedGrammars } from '../../generation/assert-supported.ts';
import { supportedToolTypes } from '../../structured-output/custom-tools.ts';
import { unknownModel } from '../../generation/require-model.ts';
import type { ServerContext } from '../../context.ts';
import { messageModel, messageModelList } from '../../models/message-models.ts';

export const models: HandlersOf<'models'> & HandlersOf<'capabilities'> = {
  /** All models that the key and its project may use, as a list without pages. */
  async 'models.list'({ header, principal }, server) {
    const policy = await server.policies.get(principal);
    // A model may have several kinds: an upstream lists all of its models, of every kind.
    const listed = new Map<string, Model>();
    const isAllowed = (id: string): boolean => {
      const ids = [id, ...modelKinds.flatMap((kind) => server.models[kind].find(id)?.model.id ?? [])];
      return isModelAllowed(policy, ids);
    };
    for (const kind of modelKinds) {
      for (const model of server.models[kind].all()) {
        const previous = listed.get(model.id);
        if (previous) listed.set(model.id, { ...previous, kinds: [...(previous.kinds ?? []), kind] });
        else if (isAllowed(model.id)) listed.set(model.id, wireModel(server, model, [kind]));
      }
    }
    for (const model of server.options.passThrough?.models() ?? []) {
      if (!listed.has(model.id) && isAllowed(model.id)) listed.set(model.id, wireModel(server, model));
    }
    const data = [...listed.values()];
    return { status: 200, body: speaksMessages(header) ? messageModelList(data) : { object: 'list', data } };
  },

  /** A 404 for a model that the key or its project may not use. */
  async 'models.retrieve'({ header, params, principal }, server) {
    const id = params['model'] ?? '';
    const matches = modelKinds.flatMap((kind) => {
      const found = server.models[kind].find(id);
      return found ? [{ kind, model: found.model }] : [];
    });
    const model = matches[0]?.model ?? server.options.passThrough?.models().find((forwarded) => forwarded.id === id);
    const policy = await server.policies.get(principal);
    if (!model || !isModelAllowed(policy, [id, model.id])) throw unknownModel(id, server);
    const kinds = matches.length > 0 ? matches.map(({ kind }) => kind) : undefined;
    const body = wireModel(server, { ...model, id }, kinds);
    return { status: 200, body: speaksMessages(header) ? messageModel(body) : body };
  },

  /** What a chat model supports, including what the server adds: formats, custom tools, and text of files. */
  'capabilities.retrieve'({ params }, server) {
    const id = params['model'] ?? '';
    const body = capabilitiesOf(server, id);
    if (!body) throw unknownModel(id, server);
    return { status: 200, body };
  },
};

/** `kinds` is absent for a model of an upstream whose kind is unknown. */
function wireModel(
  { models: registries }: ServerContext,
  { id, created, owned_by }: ListedModel,
  kinds?: readonly ModelKind[],
): Model {
  const dialect = registries.chat.find(id)?.model.dialect;
  return { id, object: 'model', created, owned_by, ...(kinds && { kinds }), ...(dialect && { dialect }) };
}

/** Capabilities of a chat model; undefined for any other ID. */
export function capabilitiesOf(server: ServerContext, id: string): ModelCapabilities | undefined {
  const model = server.models.chat.find(id)?.model;
  if (!model) return undefined;
  const { capabilities, dialect, runtime } = model;
  return {
    object: 'model.capabilities',
    model: id,
    ...(dialect && { dialect }),
    parameters: { ...capabilities.parameters },
    roles: [...capabilities.roles],
    inputs: [...new Set([...capabilities.inputs, 'file'])],
    modalities: [...capabilities.modalities],
    response_formats: [...supportedFormats(capabilities)],
    tool_types: [...supportedToolTypes(capabilities)],
    structured_outputs: capabilities.structured_outputs,
    grammars: [...supportedGrammars(capabilities)],
    reasoning_efforts: capabilities.efforts ? [...capabilities.efforts.values] : null,
    verbosities: [...capabilities.verbosities],
    service_tiers: [...capabilities.service_tiers],
    ...(runtime && { runtime }),
  };
}
