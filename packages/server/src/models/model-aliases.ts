import type { ListedModel } from '@modelwire/ports';
import type { ModelRegistry, ResolvedModel } from './model-registry.ts';

/** The alias that matches every ID that is not served otherwise. */
const CATCH_ALL = '*';

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
  const isAlias = (id: string): boolean => id !== CATCH_ALL && aliases.has(id) && !isModel(id);
  return {
    names: () => [...aliases.keys()].filter(isAlias),
    targetOf: (id) => (isAlias(id) ? follow(id) : undefined),
    catchAllTargetOf: (id) => (id === CATCH_ALL || aliases.has(id) || isModel(id) ? undefined : follow(CATCH_ALL)),
    isModel,
    follow,
  };
}

/**
 * Adds aliases to the models of a kind. An alias of a model of another kind finds nothing. The catch-all finds a model of this kind: its own
 * target, or the first one; it is not listed. `find` returns the model that serves the request, with its own ID.
 *
 * @param isDedicated Whether a model is meant for its kind: an upstream may list chat models as models for embeddings, too.
 */
export function withAliases<Engine, Model extends ListedModel>(
  models: ModelRegistry<Engine, Model>,
  aliases: AliasResolver,
  isDedicated: (model: Model) => boolean = () => true,
): ModelRegistry<Engine, Model> {
  function findByCatchAll(id: string): ResolvedModel<Engine, Model> | undefined {
    const target = aliases.catchAllTargetOf(id);
    if (target === undefined) return undefined;
    const found = models.find(target);
    if (found && isDedicated(found.model)) return found;
    // While it is unknown what the target is, such as a model of an upstream that is down, no other model takes its place.
    if (!found && !aliases.isModel(target)) return undefined;
    const ofKind = models.all();
    const instead = ofKind.find(isDedicated);
    if (instead) return models.find(instead.id);
    return found ?? models.find(ofKind[0]?.id ?? '');
  }
  function find(id: string): ResolvedModel<Engine, Model> | undefined {
    const own = models.findListed(id);
    if (own) return own;
    const target = aliases.targetOf(id);
    if (target !== undefined) return models.find(target);
    return id === CATCH_ALL ? undefined : (models.find(id) ?? findByCatchAll(id));
  }
  return {
    find,
    findListed: (id) => models.findListed(id),
    all() {
      const listed = models.all();
      const aliasModels = aliases.names().flatMap((alias) => {
        const served = find(alias);
        return served ? [{ ...served.model, id: alias }] : [];
      });
      return aliasModels.length === 0 ? listed : [...listed, ...aliasModels];
    },
  };
}
