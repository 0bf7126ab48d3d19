import type { FileField, Parsed, TextFields } from '@modelwire/schema';
import type { Call } from '../call.ts';
import type { Permission } from '../permissions.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from './reply.ts';

/** A permission of a key. */
export type Access = Permission;

export type UnknownFields = 'refuse' | 'keep';

/** What the server does at an endpoint of the contract. */
export interface EndpointHandler<Body, Query> {
  /** The permission that the role of a key must include; `any` for endpoints that every key may use, `public` for those that need no key. */
  readonly access: Access | 'any' | 'public';
  /** Whether the key may also be in `x-api-key`, as clients of other interfaces send it. Default false. */
  readonly acceptsApiKeyHeader?: boolean;
  /** Whether the endpoint supports `Idempotency-Key`: for endpoints that create something. Default false. */
  readonly idempotent?: boolean;
  /** Parses a JSON body; omitted where there is none. */
  readonly parse?: (body: unknown, unknownFields: UnknownFields) => Parsed<Body>;
  /** Parses the text fields of a form, if the contract lists a form as a body. Its files are received separately. */
  readonly parseForm?: (fields: TextFields, unknownFields: UnknownFields) => Parsed<Body>;
  /** Refuses what can be refused before the body is read. */
  readonly preValidate?: (request: Pick<Call, 'principal' | 'params'>, server: ServerContext) => Promise<void>;
  /** Called when the server starts to read a form, after `preValidate`. What it returns is called when the request has ended. */
  readonly onForm?: (request: Pick<Call, 'principal' | 'params' | 'requestId'>, server: ServerContext) => () => void;
  readonly handle: (call: Call<Body, Query>, server: ServerContext) => Reply | Promise<Reply>;
}

/** The form among the bodies that an endpoint accepts. */
export interface ContractForm {
  readonly files: readonly FileField[];
  readonly textNames: readonly string[];
}

/** An endpoint with its method and path, and how its query and form are read. */
export interface RouteDefinition<Body, Query> extends EndpointHandler<Body, Query> {
  readonly method: string;
  /** With the version's prefix, and parameters as `{name}`. */
  readonly path: string;
  readonly parseQuery: (fields: TextFields, unknownFields: UnknownFields) => Parsed<Query>;
  /** The form that the contract lists. */
  readonly form: ContractForm | undefined;
}

/** A route of one server. */
export interface Route<Body, Query> extends RouteDefinition<Body, Query> {
  /** The result of `parseQuery` for URLs without a query, which are most. Parsed once. */
  withoutQuery: Parsed<Query> | undefined;
}

export function createRoute<Body, Query>(definition: RouteDefinition<Body, Query>): Route<Body, Query> {
  return { ...definition, withoutQuery: undefined };
}
