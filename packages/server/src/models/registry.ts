import type { ChatEngine, ChatModel } from '../ports/chat-engine.ts';

/** A model and the engine that serves it. */
export interface ServedModel {
  readonly model: ChatModel;
  readonly engine: ChatEngine;
}

/** All models of all engines, by id. Where two engines have the same id, the first listed serves it. */
export interface ModelRegistry {
  find(id: string): ServedModel | undefined;
  all(): readonly ChatModel[];
}

export function createModelRegistry(engines: readonly ChatEngine[]): ModelRegistry {
  // Engines are asked at each request, so a list may change; the map is made anew only when one did.
  let lists: readonly (readonly ChatModel[])[] = [];
  let byId = new Map<string, ServedModel>();

  function current(): Map<string, ServedModel> {
    const now = engines.map((engine) => engine.models());
    if (now.length === lists.length && now.every((list, index) => list === lists[index])) return byId;
    lists = now;
    byId = new Map();
    for (const [index, engine] of engines.entries()) {
      for (const model of now[index] ?? []) if (!byId.has(model.id)) byId.set(model.id, { model, engine });
    }
    return byId;
  }
  return {
    find: (id) => current().get(id),
    all: () => [...current().values()].map(({ model }) => model),
  };
}
