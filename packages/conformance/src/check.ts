import type { EndpointId } from '@modelwire/schema';
import type { Certainty } from './report.ts';
import type { RunContext } from './context/run-context.ts';

/**
 * When a check runs: beside others; beside them, but last since it waits for a batch or a video; one at a time, since others would change its
 * result or it theirs, beside jobs that still run on the server; or after all of them, since it judges what they observed and sends nothing.
 */
export type Phase = 'together' | 'jobs' | 'alone' | 'observations';

/** The subject of a check: an endpoint, or HTTP behaviour of all endpoints. */
export type SubjectId = EndpointId | 'http';

export interface Check {
  readonly id: string;
  readonly endpoint: SubjectId;
  readonly title: string;
  readonly section: string;
  readonly weight: number;
  readonly certainty: Certainty;
  /** The rule of the API. Default: the title. */
  readonly expectation?: string;
  /** Other endpoints that the check uses. */
  readonly needs: readonly EndpointId[];
  readonly destructive: boolean;
  readonly phase: Phase;
  /** Resolves when it passes, with an optional remark; throws a `Violation`, a `Skip` or a `NoResponseError`. */
  readonly run: (context: RunContext) => Promise<string | undefined>;
}

/** A check with defaults for the optional fields. */
export interface CheckInit {
  readonly title: string;
  readonly section: string;
  readonly weight?: number;
  readonly certainty?: Certainty;
  readonly expectation?: string;
  readonly needs?: readonly EndpointId[];
  readonly destructive?: boolean;
  /** Default: `alone` for a check that loads the server, and `together` for others. */
  readonly phase?: Phase;
  readonly run: (context: RunContext) => Promise<string | undefined> | Promise<void>;
}

export function check(endpoint: SubjectId, name: string, init: CheckInit): Check {
  const {
    weight = 2,
    certainty = 'sure',
    needs = [],
    destructive = false,
    phase = destructive ? 'alone' : 'together',
    run,
  } = init;
  return {
    ...init,
    id: `${endpoint}/${name}`,
    endpoint,
    weight,
    certainty,
    needs,
    destructive,
    phase,
    run: async (context) => (await run(context)) ?? undefined,
  };
}
