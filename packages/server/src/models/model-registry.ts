import { chatParameters, parameterRules } from '@modelwire/ports/internal';
import type { ChatEngine, ChatModel, ListedModel, SpeechEngine, WebSearch } from '@modelwire/ports';
import { catchAll } from './model-aliases.ts';
import type { AliasResolver } from './model-aliases.ts';

/** A model and the engine that serves it. */
export interface ResolvedModel<Engine, Model> {
  readonly model: Model;
  readonly engine: Engine;
}

export type ResolvedChatModel = ResolvedModel<ChatEngine, ChatModel>;

/** All models of all engines of a kind, by ID. If two engines have the same ID, the first one serves it. */
export interface ModelRegistry<Engine, Model> {
  /** The model that serves a request for this ID or alias, with its own ID. */
  find(id: string): ResolvedModel<Engine, Model> | undefined;
  /** Only a model that an engine lists: neither one that it serves besides nor an alias. */
  findListed(id: string): ResolvedModel<Engine, Model> | undefined;
  /** The listed models, and those that aliases name. */
  all(): readonly Model[];
}

interface ModelSource<Model> {
  models(): readonly Model[];
  resolveModel?(id: string): Model | undefined;
}

interface ModelRegistryInit<Engine, Model> {
  readonly engines: readonly (Engine & ModelSource<Model>)[];
  /** An alias of a model of another kind finds nothing. */
  readonly aliases: AliasResolver;
  /** The model with the capabilities that it has on this server. Called once for each model. Default: the same. */
  readonly adapt?: (model: Model) => Model;
  /** Whether a listed model serves requests of this kind. Default: all do. */
  readonly isServed?: (model: Model) => boolean;
  /** Whether a model is meant for this kind: an upstream may list chat models as models for embeddings, too. Default: all are. */
  readonly isDedicated?: (model: Model) => boolean;
}

export function createModelRegistry<Model extends ListedModel, Engine extends ModelSource<Model>>({
  engines,
  aliases,
  adapt = (model) => model,
  isServed = () => true,
  isDedicated = () => true,
}: ModelRegistryInit<Engine, Model>): ModelRegistry<Engine, Model> {
  // Each request reads the engines' lists because they may change; the map is rebuilt only when one did.
  let lists: readonly (readonly Model[])[] = [];
  let byId = new Map<string, ResolvedModel<Engine, Model>>();
  // Object identity is stable: a model is used as a cache key.
  const adaptedModels = new WeakMap<Model, Model>();

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
      for (const model of newLists[index] ?? [])
        if (!byId.has(model.id) && isServed(model)) byId.set(model.id, resolve(model, engine));
    }
    return byId;
  }
  function resolve(model: Model, engine: Engine): ResolvedModel<Engine, Model> {
    let adapted = adaptedModels.get(model);
    if (!adapted) adaptedModels.set(model, (adapted = adapt(model)));
    return { model: adapted, engine };
  }
  function findListed(id: string): ResolvedModel<Engine, Model> | undefined {
    return currentModels().get(id);
  }
  function findUnlisted(id: string): ResolvedModel<Engine, Model> | undefined {
    for (const engine of engines) {
      const model = engine.resolveModel?.(id);
      if (model) return resolve(model, engine);
    }
    return undefined;
  }
  function findByCatchAll(id: string): ResolvedModel<Engine, Model> | undefined {
    const target = aliases.catchAllTargetOf(id);
    if (target === undefined) return undefined;
    const found = findListed(target) ?? findUnlisted(target);
    if (found && isDedicated(found.model)) return found;
    // While it is unknown what the target is, such as a model of an upstream that is down, no other model takes its place.
    if (!found && !aliases.isModel(target)) return undefined;
    const ofKind = [...currentModels().values()];
    return ofKind.find(({ model }) => isDedicated(model)) ?? found ?? ofKind[0];
  }
  function find(id: string): ResolvedModel<Engine, Model> | undefined {
    const listed = findListed(id);
    if (listed) return listed;
    const target = aliases.targetOf(id);
    if (target !== undefined) return findListed(target) ?? findUnlisted(target);
    return id === catchAll ? undefined : (findUnlisted(id) ?? findByCatchAll(id));
  }
  return {
    find,
    findListed,
    all() {
      const aliasModels = aliases.names().flatMap((alias) => {
        const served = find(alias);
        return served ? [{ ...served.model, id: alias }] : [];
      });
      return [...[...currentModels().values()].map(({ model }) => model), ...aliasModels];
    },
  };
}

/** Services of a server that emulated capabilities require. */
interface OptionalServices {
  readonly speech?: SpeechEngine | undefined;
  readonly webSearch?: WebSearch | undefined;
}

/** Removes the emulated capabilities that require speech synthesis or a web search which is not configured. */
export function withoutUnavailableCapabilities(model: ChatModel, { speech, webSearch }: OptionalServices): ChatModel {
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
