import type { Parsed, TextFields } from '@modelwire/schema';
import type { Kit } from '../context.ts';
import type { Access } from './access.ts';
import type { Call } from '../call.ts';
import type { Reply } from './reply.ts';

/** What the kit does at an endpoint. */
export interface Served<Body, Query> {
  /** What it asks of a key's role; `any` for what every key may do. */
  readonly access: Access | 'any';
  /** Whether an `Idempotency-Key` is honoured: for endpoints that create. */
  readonly idempotent?: boolean;
  /** Parses a JSON body; left out where there is none. `text` is what the body was read from; an internal request has none. */
  readonly parse?: (body: unknown, unknownFields: 'refuse' | 'keep', text?: string) => Parsed<Body>;
  /** Parses the text fields of a form, where the contract lists one as a body; its files are received beside them. */
  readonly parseForm?: (fields: TextFields, unknownFields: 'refuse' | 'keep') => Parsed<Body>;
  /** What can be refused before the body is read. */
  readonly before?: (asked: Pick<Call, 'principal' | 'params'>, kit: Kit) => Promise<void>;
  readonly handle: (call: Call<Body, Query>, kit: Kit) => Reply | Promise<Reply>;
}
