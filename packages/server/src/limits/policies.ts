import type { BudgetSubject, BudgetUnit, Clock, KeyRecord, Principal, ProjectRecord, Stores } from '@modelwire/ports';
import { createBoundedMap } from '@modelwire/adapter-kit';
import { RequestError, invalid } from '../errors.ts';
import { createLookupCache, maxLookups } from '../lookup-cache.ts';

/** Why a key may not be used any more. */
type AccessEndCode = 'key_revoked' | 'project_archived';

/** The settings of administrators for a key and its project. */
export interface Policy {
  /** Why requests with the key are refused for good; undefined while it may be used. An expiry does not count. */
  readonly accessEndedBy: AccessEndCode | undefined;
  /** A model must be in all of these lists. */
  readonly allowedModels: readonly ReadonlySet<string>[];
  /** The smaller of the limits of the key and the project. */
  readonly maxOutputTokens: number | undefined;
  /** Bytes of files, stored completions and stored responses that the project may store. */
  readonly storageLimitBytes: number | undefined;
  /** The key, the project or both, as far as they have budgets. */
  readonly budgetSubjects: readonly BudgetSubject[];
  /** The units of these budgets. */
  readonly budgetUnits: ReadonlySet<BudgetUnit>;
}

/** Reads policies; lookups are cached. */
export interface Policies {
  get(principal: Principal): Policy | Promise<Policy>;
}

/** The policy of a key without settings of administrators. */
const openPolicy: Policy = {
  accessEndedBy: undefined,
  allowedModels: [],
  maxOutputTokens: undefined,
  storageLimitBytes: undefined,
  budgetSubjects: [],
  budgetUnits: new Set(),
};

/** The policies of a server without stores. */
export const noPolicies: Policies = { get: () => openPolicy };

interface PoliciesInit {
  readonly stores: Pick<Stores, 'keys' | 'budgets'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

export function createPolicies({ stores: { keys, budgets }, clock }: PoliciesInit): Policies {
  const cache = createLookupCache<Policy>(clock);
  /** The last known policies, used while the store is unavailable. */
  const lastKnown = createBoundedMap<string, Policy>(maxLookups);
  keys.onChange?.(cache.clear);
  budgets.onChange?.(cache.clear);

  async function lookUp(cacheKey: string, principal: Principal): Promise<Policy> {
    try {
      const policy = await read(principal);
      lastKnown.set(cacheKey, policy);
      return policy;
    } catch (error) {
      const known = lastKnown.get(cacheKey);
      if (!known) throw error;
      return known;
    }
  }
  async function read({ keyId, project }: Principal): Promise<Policy> {
    const subjects = [
      { kind: 'key', id: keyId },
      { kind: 'project', id: project },
    ] as const;
    const [keyRecord, projectRecord, budgetStates] = await Promise.all([
      keys.get(keyId),
      keys.getProject(project),
      budgets.list(subjects),
    ]);
    const maxima = [keyRecord?.maxOutputTokens, projectRecord?.maxOutputTokens].filter(
      (value) => typeof value === 'number',
    );
    return {
      accessEndedBy: accessEndOf(keyRecord, projectRecord),
      allowedModels: [keyRecord?.allowedModels, projectRecord?.allowedModels].flatMap((models) =>
        models ? [new Set(models)] : [],
      ),
      maxOutputTokens: maxima.length > 0 ? Math.min(...maxima) : undefined,
      storageLimitBytes: projectRecord?.storageLimitBytes ?? undefined,
      budgetSubjects: subjects.filter(({ kind, id }) =>
        budgetStates.some(({ subject }) => subject.kind === kind && subject.id === id),
      ),
      budgetUnits: new Set(budgetStates.map(({ unit }) => unit)),
    };
  }

  return {
    get(principal) {
      const cacheKey = `${principal.keyId}\n${principal.project}`;
      return cache.get(cacheKey, () => lookUp(cacheKey, principal));
    },
  };
}

function accessEndOf(key: KeyRecord | undefined, project: ProjectRecord | undefined): Policy['accessEndedBy'] {
  if (typeof project?.archived === 'number') return 'project_archived';
  // A key of the configuration is not in the store.
  return typeof key?.revoked === 'number' ? 'key_revoked' : undefined;
}

/** Whether the key and its project may use the model. @param ids The ID in the request, and that of the model which it refers to. */
export function isModelAllowed({ allowedModels }: Policy, ids: readonly string[]): boolean {
  return allowedModels.every((models) => ids.some((id) => models.has(id)));
}

/** @param ids As in `isModelAllowed`. @throws a 403 when the key or its project may not use the model. */
export function assertModelAllowed(policy: Policy, ids: readonly string[]): void {
  if (isModelAllowed(policy, ids)) return;
  throw new RequestError(
    `This key or its project is not allowed to use the model '${(ids[0] ?? '').slice(0, 100)}'. GET /v1/models lists the models that it may use.`,
    { status: 403, code: 'model_not_allowed', param: 'model' },
  );
}

interface OutputLimits {
  readonly max_completion_tokens?: number | null | undefined;
  readonly max_tokens?: number | null | undefined;
}

/**
 * Adds a limit of output tokens to a body that has none: the smaller one of the policy's maximum and of the endpoint's default.
 *
 * @throws a 400 for a limit above the maximum.
 */
export function withOutputLimit<Body extends OutputLimits>(
  body: Body,
  maximum = Number.POSITIVE_INFINITY,
  endpointDefault = Number.POSITIVE_INFINITY,
): Body {
  const name = typeof body.max_completion_tokens === 'number' ? 'max_completion_tokens' : 'max_tokens';
  const requested = body[name];
  if (typeof requested !== 'number') {
    const limit = Math.min(maximum, endpointDefault);
    return Number.isFinite(limit) ? { ...body, max_completion_tokens: limit } : body;
  }
  if (requested <= maximum) return body;
  throw invalid(
    name,
    `Invalid value for '${name}': this key or its project may request at most ${maximum} output tokens.`,
    'integer_above_max_value',
  );
}
