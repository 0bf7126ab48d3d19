import type { Logger } from 'pino';
import type { UpstreamProblem, UpstreamProblemKind } from './upstream-problem.ts';

export interface UpstreamStatus {
  readonly upstream: string;
  /** `unknown` until the first response. */
  readonly status: 'available' | 'unknown' | UpstreamProblemKind;
  /** The cause of the problem, such as `ECONNREFUSED`; undefined if there is none. */
  readonly cause?: string;
}

/** The last checks of an upstream, for the console. */
export interface UpstreamChecks {
  readonly upstream: string;
  readonly url: string;
  readonly status: UpstreamStatus['status'];
  /** Duration of the last successful check; undefined before. */
  readonly latencyMs: number | undefined;
  /** The last problem, also if the upstream is available again. `since`: when the checks began to fail, `at`: the last failed one, in Unix seconds. */
  readonly lastError: { readonly message: string; readonly since: number; readonly at: number } | undefined;
}

/** The status of all upstreams. Every change is logged with the URL and the cause. */
export interface UpstreamStatuses {
  /** `latencyMs`: how long the check took. */
  succeeded(upstream: string, latencyMs?: number): void;
  failed(upstream: string, problem: UpstreamProblem): void;
  /** The current problem of an upstream, if it has one. */
  problem(upstream: string): UpstreamProblem | undefined;
  all(): readonly UpstreamStatus[];
  checks(): readonly UpstreamChecks[];
  /** Whether a request to some upstream may succeed. True if there are no upstreams. */
  isAnyUsable(): boolean;
}

export function createUpstreamStatuses(
  upstreams: readonly { readonly name: string; readonly baseURL: string }[],
  logger: Pick<Logger, 'info' | 'warn'>,
): UpstreamStatuses {
  const urls = new Map(upstreams.map(({ name, baseURL }) => [name, baseURL]));
  /** `null`: available. */
  const problems = new Map<string, UpstreamProblem | null>();
  const latencies = new Map<string, number>();
  const errors = new Map<string, NonNullable<UpstreamChecks['lastError']>>();

  return {
    succeeded(upstream, latencyMs) {
      if (latencyMs !== undefined) latencies.set(upstream, latencyMs);
      const previous = problems.get(upstream);
      problems.set(upstream, null);
      if (previous) logger.info({ upstream, url: urls.get(upstream) }, 'an upstream is available again');
    },
    failed(upstream, problem) {
      const previous = problems.get(upstream);
      problems.set(upstream, problem);
      const at = Math.floor(Date.now() / 1000);
      errors.set(upstream, { message: problem.message, since: (previous && errors.get(upstream)?.since) || at, at });
      if (previous?.kind === problem.kind && previous.message === problem.message) return;
      logger.warn({ upstream, url: urls.get(upstream), cause: problem.message }, logMessages[problem.kind]);
    },
    problem: (upstream) => problems.get(upstream) ?? undefined,
    all: () =>
      upstreams.map(({ name }) => {
        const problem = problems.get(name);
        if (!problem) return { upstream: name, status: problem === null ? 'available' : 'unknown' };
        return { upstream: name, status: problem.kind, cause: problem.message };
      }),
    checks: () =>
      upstreams.map(({ name, baseURL }) => {
        const problem = problems.get(name);
        return {
          upstream: name,
          url: baseURL,
          status: problem === undefined ? 'unknown' : (problem?.kind ?? 'available'),
          latencyMs: latencies.get(name),
          lastError: errors.get(name),
        };
      }),
    isAnyUsable: () => upstreams.length === 0 || upstreams.some(({ name }) => !problems.get(name)),
  };
}

const logMessages: Record<UpstreamProblemKind, string> = {
  unreachable: 'an upstream is unreachable',
  authentication_failed: 'an upstream refused the configured API key',
  failing: 'an upstream did not return its models',
};
