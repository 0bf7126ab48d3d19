import type { EndpointId } from '@modelwire/schema';
import type { Certainty } from './report.ts';
import type { World } from './world/world.ts';

/** What a check is of: an endpoint, or what holds of all. */
export type SubjectId = EndpointId | 'http';

export interface Check {
  readonly id: string;
  readonly endpoint: SubjectId;
  readonly title: string;
  readonly section: string;
  readonly weight: number;
  readonly certainty: Certainty;
  /** What the interface says, where the title does not say it. */
  readonly says?: string;
  /** Other endpoints that it takes. */
  readonly needs: readonly EndpointId[];
  readonly destructive: boolean;
  /** Whether it waits for a batch or a video. */
  readonly job: boolean;
  /** Whether it looks at what the others saw, and so runs after them. */
  readonly late: boolean;
  /** Resolves when it passed, with what is worth saying; throws a `Violation`, a `Skip` or a `NoAnswer`. */
  readonly run: (world: World) => Promise<string | undefined>;
}

/** What a check leaves out gets its default. */
export interface CheckInit {
  readonly title: string;
  readonly section: string;
  readonly weight?: number;
  readonly certainty?: Certainty;
  readonly says?: string;
  readonly needs?: readonly EndpointId[];
  readonly destructive?: boolean;
  readonly job?: boolean;
  readonly late?: boolean;
  readonly run: (world: World) => Promise<string | undefined> | Promise<void>;
}

export function check(endpoint: SubjectId, name: string, init: CheckInit): Check {
  const { weight = 2, certainty = 'sure', needs = [], destructive = false, job = false, late = false, run } = init;
  return {
    ...init,
    id: `${endpoint}/${name}`,
    endpoint,
    weight,
    certainty,
    needs,
    destructive,
    job,
    late,
    run: async (world) => (await run(world)) ?? undefined,
  };
}
