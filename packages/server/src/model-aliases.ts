import type { ListedModel } from '@modelwire/ports';
import type { ModelRegistry, ResolvedModel } from './model-registry.ts';

/** The alias that matches every ID that is not served otherwise. */
const CATCH_ALL = '*';

/** Aliases of models: the requested ID, and the ID of the model that serves it. */
export type ModelAliases = ReadonlyMap<string, string>;

/**
 * Resolves aliases of aliases, so that each names a model.
 *
 * @throws TypeError for an empty name and for cycles.
 */
export function resolveAliases(aliases: Readonly<Record<string, string>> = {}): ModelAliases {
  const targets = new Map(Object.entries(aliases));
  const resolved = new Map<string, string>();
  for (const [alias, directTarget] of targets) {
    const chain = [alias];
    let target = directTarget;
    for (let next = targets.get(target); next !== undefined; next = targets.get(target)) {
      chain.push(target);
      if (chain.indexOf(target) < chain.length - 1) {
        throw new TypeError(`modelAliases: ${chain.map((name) => `'${name}'`).join(' -> ')} is a cycle.`);
      }
      target = next;
    }
    if (alias === '' || target === '') throw new TypeError('modelAliases: names of models must not be empty.');
    resolved.set(alias, target);
  }
  return resolved;
}

/**
 * Adds aliases to a model registry. An alias takes precedence over a model with the same ID; the catch-all comes last and is not listed.
 * `find` returns the model that serves the request, with its own ID.
 */
export function withAliases<Engine, Model extends ListedModel>(
  models: ModelRegistry<Engine, Model>,
  aliases: ModelAliases,
): ModelRegistry<Engine, Model> {
  if (aliases.size === 0) return models;
  const findByAlias = (alias: string): ResolvedModel<Engine, Model> | undefined => {
    const target = aliases.get(alias);
    return target === undefined ? undefined : models.find(target);
  };
  return {
    find: (id) => (id === CATCH_ALL ? undefined : (findByAlias(id) ?? models.find(id) ?? findByAlias(CATCH_ALL))),
    notFoundError: (id) => models.notFoundError(id, aliases.get(id)),
    all() {
      const listed = models.all();
      const ids = new Set(listed.map(({ id }) => id));
      const aliasModels = [...aliases.keys()].flatMap((alias) => {
        const served = alias === CATCH_ALL || ids.has(alias) ? undefined : findByAlias(alias);
        return served ? [{ ...served.model, id: alias }] : [];
      });
      return [...listed, ...aliasModels];
    },
  };
}
