import type { ModelRegistry } from '../model-registry.ts';
import type { ResolvedServerOptions } from '../options.ts';
import type { ChatEngine, ChatModel } from '@modelwire/ports';
import { chatParameters, parameterRules } from '@modelwire/ports';

type Services = Pick<ResolvedServerOptions, 'speech' | 'webSearch'>;

/** The model without the capabilities that require a service which this server does not have. */
function withServices(model: ChatModel, { speech, webSearch }: Services): ChatModel {
  const { capabilities: can } = model;
  const parameters: Record<string, string> = { ...can.parameters };
  for (const name of chatParameters) {
    const { emulated } = parameterRules[name];
    const isMissing = (emulated === 'speech' && !speech) || (emulated === 'search' && !webSearch);
    if (isMissing && parameters[name] === 'emulated') parameters[name] = 'refused';
  }
  const modalities = parameters['audio'] === 'emulated' ? (['text', 'audio'] as const) : can.modalities;
  const capabilities = { ...can, modalities, parameters: parameters as typeof can.parameters };
  return Object.freeze({ ...model, capabilities: Object.freeze(capabilities) });
}

/** The same models, each converted once. */
export function withServerCapabilities(
  models: ModelRegistry<ChatEngine, ChatModel>,
  services: Services,
): ModelRegistry<ChatEngine, ChatModel> {
  const known = new WeakMap<ChatModel, ChatModel>();
  function adapted(model: ChatModel): ChatModel {
    const before = known.get(model);
    if (before) return before;
    const made = withServices(model, services);
    known.set(model, made);
    return made;
  }
  const served = new WeakMap<object, { readonly model: ChatModel; readonly engine: ChatEngine }>();
  return {
    find(id) {
      const found = models.find(id);
      if (!found) return undefined;
      let made = served.get(found);
      if (!made) served.set(found, (made = { model: adapted(found.model), engine: found.engine }));
      return made;
    },
    all: () => models.all().map(adapted),
    notFoundError: (id, target) => models.notFoundError(id, target),
  };
}
