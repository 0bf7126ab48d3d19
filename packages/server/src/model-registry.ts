import { modelNotFound } from '@modelwire/ports';
import type { ChatEngine, ChatModel, RequestError } from '@modelwire/ports';

/** The fields of a model that engines of every kind have. */
export interface ListedModel {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
}

/** A model and the engine that serves it. */
export interface ResolvedModel<Engine, Model> {
  readonly model: Model;
  readonly engine: Engine;
}

export type ResolvedChatModel = ResolvedModel<ChatEngine, ChatModel>;

/** All models of all engines of a kind, by ID. If two engines have the same ID, the first one serves it. */
export interface ModelRegistry<Engine, Model> {
  find(id: string): ResolvedModel<Engine, Model> | undefined;
  all(): readonly Model[];
  /** The error for a model that is not found: a 404, or why its existence is unknown at present. `target`: the model that it is an alias of. */
  notFoundError(id: string, target?: string): RequestError;
}

interface ModelSource<Model> {
  models(): readonly Model[];
  resolveModel?(id: string): Model | undefined;
  unavailableError?(id: string): RequestError | undefined;
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
  // Object identity is stable: it is used as a cache key.
  const unlistedModels = new WeakMap<Model, ResolvedModel<Engine, Model>>();
  function resolveUnlisted(id: string): ResolvedModel<Engine, Model> | undefined {
    for (const engine of engines) {
      const model = engine.resolveModel?.(id);
      if (!model) continue;
      let resolved = unlistedModels.get(model);
      // Two engines may list the same model object.
      if (resolved?.engine !== engine) unlistedModels.set(model, (resolved = { model, engine }));
      return resolved;
    }
    return undefined;
  }
  return {
    find: (id) => currentModels().get(id) ?? resolveUnlisted(id),
    all: () => [...currentModels().values()].map(({ model }) => model),
    notFoundError(id, target = id) {
      for (const engine of engines) {
        const error = engine.unavailableError?.(target);
        if (error) return error;
      }
      return modelNotFound(id);
    },
  };
}
