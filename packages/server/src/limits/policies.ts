import type { BudgetSubject, BudgetUnit, Principal, Stores } from '@modelwire/ports';
import { RequestError, invalid } from '../errors.ts';

/** The settings of administrators for a key and its project. */
export interface Policy {
  /** A model must be in all of these lists. */
  readonly allowedModels: readonly ReadonlySet<string>[];
  /** The smallest maximum of output tokens. */
  readonly maxOutputTokens: number | undefined;
  /** Bytes of files, stored completions and stored responses that the project may keep. */
  readonly storageLimitBytes: number | undefined;
  /** Those of the key and the project that have budgets. */
  readonly budgeted: readonly BudgetSubject[];
  /** The units of these budgets. */
  readonly units: ReadonlySet<BudgetUnit>;
}

/** Reads policies; lookups are cached. */
export interface Policies {
  of(principal: Principal): Policy | Promise<Policy>;
}

interface PoliciesInit {
  readonly stores: Pick<Stores, 'keys' | 'budgets'>;
  /** A change by another process takes effect within this time. Default 2000. */
  readonly cacheTtlMs?: number;
  /** Maximum number of cached lookups. Default 10,000. */
  readonly cacheSize?: number;
  /** Milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

interface Cached {
  readonly until: number;
  readonly lookup: Promise<Policy>;
  policy: Policy | undefined;
}

export function createPolicies({
  stores: { keys, budgets },
  cacheTtlMs = 2000,
  cacheSize = 10_000,
  now = Date.now,
}: PoliciesInit): Policies {
  const cache = new Map<string, Cached>();
  /** The last known policy, used while the store is unavailable. */
  const last = new Map<string, Policy>();
  keys.onChange?.(() => cache.clear());
  budgets.onChange?.(() => cache.clear());

  function lookUp(name: string, principal: Principal): Cached {
    const lookup = read(principal).then(
      (policy) => {
        entry.policy = policy;
        last.delete(name);
        last.set(name, policy);
        if (last.size > cacheSize) last.delete(last.keys().next().value ?? '');
        return policy;
      },
      (error: unknown) => {
        const known = last.get(name);
        if (!known) {
          if (cache.get(name) === entry) cache.delete(name);
          throw error;
        }
        return (entry.policy = known);
      },
    );
    const entry: Cached = { until: now() + cacheTtlMs, lookup, policy: undefined };
    cache.delete(name);
    cache.set(name, entry);
    if (cache.size > cacheSize) cache.delete(cache.keys().next().value ?? '');
    return entry;
  }

  async function read({ keyId, project }: Principal): Promise<Policy> {
    const subjects = [
      { kind: 'key', id: keyId },
      { kind: 'project', id: project },
    ] as const;
    const [key, of, found] = await Promise.all([keys.get(keyId), keys.getProject(project), budgets.list(subjects)]);
    const maxima = [key?.maxOutputTokens, of?.maxOutputTokens].filter((value) => typeof value === 'number');
    return {
      allowedModels: [key?.allowedModels, of?.allowedModels].flatMap((models) => (models ? [new Set(models)] : [])),
      maxOutputTokens: maxima.length > 0 ? Math.min(...maxima) : undefined,
      storageLimitBytes: of?.storageLimitBytes ?? undefined,
      budgeted: subjects.filter(({ kind, id }) =>
        found.some(({ subject }) => subject.kind === kind && subject.id === id),
      ),
      units: new Set(found.map(({ unit }) => unit)),
    };
  }

  // The name of the last lookup, as building a string for each request takes longer than this comparison.
  let recent: (Pick<Principal, 'keyId' | 'project'> & { readonly name: string }) | undefined;
  function nameOf({ keyId, project }: Principal): string {
    if (recent?.keyId !== keyId || recent.project !== project)
      recent = { keyId, project, name: `${keyId}\n${project}` };
    return recent.name;
  }

  return {
    of(principal) {
      const name = nameOf(principal);
      const cached = cache.get(name);
      const entry = cached && cached.until > now() ? cached : lookUp(name, principal);
      return entry.policy ?? entry.lookup;
    },
  };
}

/** Whether the key and its project may use the model. `ids`: what the request named, and the model itself. */
export function isModelAllowed({ allowedModels }: Policy, ids: readonly string[]): boolean {
  return allowedModels.every((models) => ids.some((id) => models.has(id)));
}

/** @throws a 403 when the key or its project may not use the model. `ids`: what the request named, and the model itself. */
export function assertModelAllowed(policy: Policy, ids: readonly string[]): void {
  if (isModelAllowed(policy, ids)) return;
  throw new RequestError(`This key or its project is not allowed to use the model '${(ids[0] ?? '').slice(0, 100)}'.`, {
    status: 403,
    code: 'model_not_allowed',
    param: 'model',
  });
}

interface OutputLimits {
  readonly max_completion_tokens?: number | null | undefined;
  readonly max_tokens?: number | null | undefined;
}

/**
 * The body with the maximum of output tokens of the policy, where it has no limit of its own.
 *
 * @throws a 400 for a limit above the maximum.
 */
export function withOutputLimit<Body extends OutputLimits>(body: Body, { maxOutputTokens: maximum }: Policy): Body {
  if (maximum === undefined) return body;
  const name = typeof body.max_completion_tokens === 'number' ? 'max_completion_tokens' : 'max_tokens';
  const given = body[name];
  if (typeof given !== 'number') return { ...body, max_completion_tokens: maximum };
  if (given <= maximum) return body;
  throw invalid(
    name,
    `Invalid value for '${name}': this key or its project may request at most ${maximum} output tokens.`,
    'integer_above_max_value',
  );
}
