import type { EndpointAccess, FormBody, JsonBody, Parsed, ParseOptions, TextFields } from '@modelwire/schema';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { FormCall } from './forms/form-reader.ts';
import type { Reply } from './reply.ts';

/** An endpoint: who may use it, how its query and body are read, and what it does. */
export interface RouteDefinition<Body, Query> {
  readonly method: string;
  /** With the version's prefix, and parameters as `{name}`. */
  readonly path: string;
  /** The permission that the role of a key must include; `any` for endpoints that every key may use, `public` for those that need no key. */
  readonly access: EndpointAccess | 'public';
  /** Whether the key may also be in `x-api-key`, as clients of other interfaces send it. Default false. */
  readonly acceptsApiKeyHeader?: boolean;
  /** Whether it takes an `Idempotency-Key`: for endpoints that create something. */
  readonly isIdempotent: boolean;
  readonly parseQuery: (fields: TextFields, options: ParseOptions) => Parsed<Query>;
  /** Undefined where there is no JSON body. */
  readonly json: Pick<JsonBody<Body>, 'parse'> | undefined;
  /** Undefined where there is no form. */
  readonly form: FormBody<Body> | undefined;
  /** The body of an endpoint whose handler receives it itself. */
  readonly read: ((call: FormCall) => Body) | undefined;
  readonly handle: (call: Call<Body, Query>, server: ServerContext) => Reply | Promise<Reply>;
}

/** A route of one server. */
export interface Route<Body, Query> extends RouteDefinition<Body, Query> {
  /** The result of `parseQuery` for URLs without a query, which are most. Parsed once. */
  withoutQuery: Parsed<Query> | undefined;
}

export function createRoute<Body, Query>(definition: RouteDefinition<Body, Query>): Route<Body, Query> {
  return { ...definition, withoutQuery: undefined };
}
