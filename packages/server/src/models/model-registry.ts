import { chatParameters, parameterRules } from '@modelwire/ports';
import type { ChatEngine, ChatModel, ListedModel, SpeechEngine, WebSearch } from '@modelwire/ports';

/** A model and the engine that serves it. */
export interface ResolvedModel<Engine, Model> {
  readonly model: Model;
  readonly engine: Engine;
}

export type ResolvedChatModel = ResolvedModel<ChatEngine, ChatModel>;

/** All models of all engines of a kind, by ID. If two engines have the same ID, the first one serves it. */
export interface ModelRegistry<Engine, Model> {
  find(id: string): ResolvedModel<Engine, Model> | undefined;
  /** Only a model that an engine lists: neither one that it serves besides nor an alias. */
  findListed(id: string): ResolvedModel<Engine, Model> | undefined;
  all(): readonly Model[];
}

interface ModelSource<Model> {
  models(): readonly Model[];
  resolveModel?(id: string): Model | undefined;
}

export function createModelRegistry<Model extends ListedModel, Engine extends ModelSource<Model>>(
  engines: readonly (Engine & ModelSource<Model>)[],
): ModelRegistry<Engine, Model> {
  // Each request reads the engines' lists because they may change; the map is rebuilt only when one did.
  let lists: readonly (readonly Model[])[] = [];
  let byId = new Map<string, ResolvedModel<Engine, Model>>();

  function currentModels(): Map<string, ResolvedModel<Engine, Model>> {
    // Called several times per request, so it allocates nothing while no list has changed.
    let isCurrent = lists.length === engines.length;
    for (let index = 0; isCurrent && index < engines.length; index++) {
      isCurrent = engines[index]?.models() === lists[index];
    }
    if (isCurrent) return byId;
    const newLists = engines.map((engine) => engine.models());
    lists = newLists;
    byId = new Map();
    for (const [index, engine] of engines.entries()) {
      for (const model of newLists[index] ?? []) if (!byId.has(model.id)) byId.set(model.id, { model, engine });
    }
    return byId;
  }
  function resolveUnlisted(id: string): ResolvedModel<Engine, Model> | undefined {
    for (const engine of engines) {
      const model = engine.resolveModel?.(id);
      if (model) return { model, engine };
    }
    return undefined;
  }
  return {
    find: (id) => currentModels().get(id) ?? resolveUnlisted(id),
    findListed: (id) => currentModels().get(id),
    all: () => [...currentModels().values()].map(({ model }) => model),
  };
}

/** Services of a server that emulated capabilities require. */
interface OptionalServices {
  readonly speech?: SpeechEngine | undefined;
  readonly webSearch?: WebSearch | undefined;
}

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
  const adaptEntry = (entry: ResolvedChatModel | undefined): ResolvedChatModel | undefined =>
    entry && { model: adapt(entry.model), engine: entry.engine };
  return {
    find: (id) => adaptEntry(models.find(id)),
    findListed: (id) => adaptEntry(models.findListed(id)),
    all: () => models.all().map(adapt),
  };
}
