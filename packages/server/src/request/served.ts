import type { Parsed } from '@modelwire/schema';
import type { Kit } from '../kit.ts';
import type { Call, Reply } from './call.ts';

/** What the kit does at an endpoint. */
export interface Served<Body> {
  /** Parses a JSON body; left out where there is none. */
  readonly parse?: (body: unknown, unknownFields: 'refuse' | 'keep') => Parsed<Body>;
  readonly handle: (call: Call<Body>, kit: Kit) => Reply | Promise<Reply>;
}
