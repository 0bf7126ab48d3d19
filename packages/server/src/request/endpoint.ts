import type { Context } from 'hono';
import type { Kit } from '../kit.ts';
import type { Call, Reply } from './call.ts';
import { live } from './life.ts';

/** A parsed value, or the one problem to tell the caller. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly problem: { readonly message: string; readonly param: string | null; readonly code: string | null };
    };

/** What the kit does at an endpoint. */
export interface Served<Body> {
  /** Parses a JSON body; left out where there is none. */
  readonly parse?: (body: unknown, unknownFields: 'refuse' | 'keep') => Parsed<Body>;
  readonly handle: (call: Call<Body>, kit: Kit) => Reply | Promise<Reply>;
}

/** An endpoint, ready to be mounted. */
export interface Endpoint {
  readonly method: string;
  /** With the version's prefix, and parameters as `{name}`. */
  readonly path: string;
  readonly handler: (kit: Kit) => (context: Context) => Promise<Response>;
}

/** Joins an entry of the contract and what the kit does there. */
export function endpoint<Body = undefined>(
  route: { readonly method: string; readonly path: string },
  served: Served<Body>,
): Endpoint {
  const { method } = route;
  const path = `/v1${route.path}`;
  return { method, path, handler: (kit) => live({ method, path, ...served }, kit) };
}
