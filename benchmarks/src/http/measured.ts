import type { LoadAnswer } from '../load.ts';
import type { Mode } from '../servers/payload.ts';
import type { ContestantName } from './contestants.ts';

export const connectionCounts = [1, 16, 64] as const;
export type Connections = (typeof connectionCounts)[number];

export interface Sample extends LoadAnswer {
  /** Microseconds of the server's CPU time for each request. */
  readonly cpu: number;
  /** Bytes of the server's memory afterwards. */
  readonly rss: number;
}

/** A row of a table at one number of connections, with its samples in the order of the rounds. */
export interface Measured {
  readonly name: ContestantName;
  readonly mode: Mode;
  readonly connections: Connections;
  /** Size of the body of a reply. */
  readonly bytes: number;
  readonly samples: Sample[];
}
