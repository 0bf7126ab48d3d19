import { contract } from '@modelwire/schema';
import type { Contract, Endpoint, EndpointId, EndpointNeed, FormBody, JsonBody } from '@modelwire/schema';
import type { Call, InternalDispatch } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { RequestAdapter, ResponseInit } from './adapters/request-adapter.ts';
import { createInternalDispatch } from './internal-request.ts';
import { createRequestHandler } from './pipeline.ts';
import type { Reply } from './reply.ts';
import type { FormHooks } from './route.ts';

type QueryOf<Id extends EndpointId> = Contract[Id] extends Endpoint<string, infer Query> ? Query : never;
type BodyOf<Id extends EndpointId> = Contract[Id] extends Endpoint<string, unknown, infer Body> ? Body : never;

/** What a server does at an endpoint. The contract has parsed the call. */
type Handler<Body, Query> = (call: Call<Body, Query>, server: ServerContext) => Reply | Promise<Reply>;

/** A handler for each endpoint of the contract: one that is missing, has another ID or takes other parameters does not compile. */
export type Handlers = { readonly [Id in EndpointId]: Handler<BodyOf<Id>, QueryOf<Id>> };

type Entries = { readonly [Id in EndpointId]: Endpoint<Id, QueryOf<Id>, BodyOf<Id>> };
const entries: Entries = contract;

/** An endpoint that a server offers. */
export interface MountedEndpoint {
  readonly contract: Endpoint;
  readonly method: string;
  /** With the version's prefix, and parameters as `{name}`. */
  readonly path: string;
  readonly handler: (server: ServerContext) => (request: RequestAdapter) => Promise<ResponseInit>;
  /** Handles requests that the server sends to itself, without HTTP. */
  readonly internal: (server: ServerContext) => InternalDispatch;
}

/**
 * The endpoints of the contract that a server with these parts can offer.
 *
 * @param hooks Of endpoints whose form is received in steps of their own.
 */
export function implement(
  handlers: Handlers,
  hooks: Readonly<Partial<Record<EndpointId, FormHooks>>>,
  parts: ReadonlySet<EndpointNeed>,
): readonly MountedEndpoint[] {
  const definitions: Readonly<Record<EndpointId, Endpoint>> = contract;
  const mountById = <Id extends EndpointId>(id: Id): MountedEndpoint =>
    mount<Id>(entries[id], handlers[id], hooks[id] ?? {});
  return Object.keys(definitions)
    .filter(isEndpointId)
    .filter((id) => definitions[id].needs.every((need) => parts.has(need)))
    .map((id) => mountById(id));
}

const isEndpointId = (id: string): id is EndpointId => Object.hasOwn(contract, id);

function mount<Id extends EndpointId>(
  entry: Endpoint<Id, QueryOf<Id>, BodyOf<Id>>,
  handle: Handler<BodyOf<Id>, QueryOf<Id>>,
  hooks: FormHooks,
): MountedEndpoint {
  const { access, isIdempotent, parseQuery, request } = entry;
  const { method } = entry.route;
  const path = `/v1${entry.route.path}`;
  const json = request.find((body): body is JsonBody<BodyOf<Id>> => body.type === 'application/json');
  const form = request.find((body): body is FormBody<BodyOf<Id>> => body.type === 'multipart/form-data');
  const route = { ...hooks, method, path, access, isIdempotent, parseQuery, json, form, handle };
  return {
    contract: entry,
    method,
    path,
    handler: (server) => createRequestHandler(route, server),
    internal: (server) => createInternalDispatch(route, server),
  };
}
