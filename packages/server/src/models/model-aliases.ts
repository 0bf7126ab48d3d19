/** The alias that matches every ID that is not served otherwise. It finds a model of any kind: its own target, or the first one. It is not listed. */
export const catchAll = '*';

/** Aliases of models: the requested ID, and the ID of the model that serves it, which may be an alias itself. */
export type ModelAliases = ReadonlyMap<string, string>;

/**
 * Checks aliases, so that following them leads to a name that is not an alias.
 *
 * @throws TypeError for an empty name and for cycles.
 */
export function checkAliases(aliases: Readonly<Record<string, string>> = {}): ModelAliases {
  const targets = new Map(Object.entries(aliases));
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
  }
  return targets;
}

/** What aliases mean on a server with these models. A model called by its own name is never redirected. */
export interface AliasResolver {
  /** The aliases that are not the name of a model, without the catch-all. */
  names(): readonly string[];
  /** The model that an alias refers to; undefined for any other ID. */
  targetOf(id: string): string | undefined;
  /** The model of the catch-all, if this ID is neither the name of a model nor an alias. */
  catchAllTargetOf(id: string): string | undefined;
  /** Whether a model of any kind has this name. */
  isModel(id: string): boolean;
  /** What an alias, also the catch-all, refers to after all aliases between; undefined for any other ID. */
  follow(alias: string): string | undefined;
}

export function createAliasResolver(aliases: ModelAliases, isModel: (id: string) => boolean): AliasResolver {
  function follow(alias: string): string | undefined {
    let target = aliases.get(alias);
    while (target !== undefined && !isModel(target) && aliases.has(target)) target = aliases.get(target);
    return target;
  }
  const isAlias = (id: string): boolean => id !== catchAll && aliases.has(id) && !isModel(id);
  return {
    names: () => [...aliases.keys()].filter(isAlias),
    targetOf: (id) => (isAlias(id) ? follow(id) : undefined),
    catchAllTargetOf: (id) => (id === catchAll || aliases.has(id) || isModel(id) ? undefined : follow(catchAll)),
    isModel,
    follow,
  };
}
