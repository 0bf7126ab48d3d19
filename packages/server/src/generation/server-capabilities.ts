import type { ModelRegistry } from '../model-registry.ts';
import type { ResolvedServerOptions } from '../options.ts';
import type { ChatEngine, ChatModel } from '@modelwire/ports';
import { chatParameters, parameterRules } from '@modelwire/ports';

type OptionalServices = Pick<ResolvedServerOptions, 'speech' | 'webSearch'>;

/** Removes the emulated capabilities that require speech synthesis or a web search which is not configured. */
function withoutUnavailableCapabilities(model: ChatModel, { speech, webSearch }: OptionalServices): ChatModel {
  const { capabilities: declared } = model;
  const parameters: Record<string, string> = { ...declared.parameters };
  for (const name of chatParameters) {
    const { emulated } = parameterRules[name];
    const isMissing = (emulated === 'speech' && !speech) || (emulated === 'search' && !webSearch);
    if (isMissing && parameters[name] === 'emulated') parameters[name] = 'refused';
  }
  const modalities = parameters['audio'] === 'emulated' ? (['text', 'audio'] as const) : declared.modalities;
  const capabilities = { ...declared, modalities, parameters: parameters as typeof declared.parameters };
  return Object.freeze({ ...model, capabilities: Object.freeze(capabilities) });
}

/** A registry of the same models with the capabilities that they have on this server. Each model is converted once. */
export function withServerCapabilities(
  models: ModelRegistry<ChatEngine, ChatModel>,
  services: OptionalServices,
): ModelRegistry<ChatEngine, ChatModel> {
  const adaptedModels = new WeakMap<ChatModel, ChatModel>();
  function adapt(model: ChatModel): ChatModel {
    const cached = adaptedModels.get(model);
    if (cached) return cached;
    const adapted = withoutUnavailableCapabilities(model, services);
    adaptedModels.set(model, adapted);
    return adapted;
  }
  const adaptedEntries = new WeakMap<object, { readonly model: ChatModel; readonly engine: ChatEngine }>();
  return {
    find(id) {
      const entry = models.find(id);
      if (!entry) return undefined;
      let adapted = adaptedEntries.get(entry);
      if (!adapted) adaptedEntries.set(entry, (adapted = { model: adapt(entry.model), engine: entry.engine }));
      return adapted;
    },
    all: () => models.all().map(adapt),
    notFoundError: (id, target) => models.notFoundError(id, target),
  };
}
