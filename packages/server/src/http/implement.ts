import { contract } from '@modelwire/schema';
import type { Contract, Endpoint, EndpointId, EndpointNeed, StreamedForm } from '@modelwire/schema';
import type { BatchEndpoint, ResponseBodies, ResponseEvents } from '@modelwire/schema/types';
import type { Call, InternalDispatch } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { createInternalDispatch } from './internal-request.ts';
import { createRequestHandler } from './pipeline.ts';
import type { BytesReply, CachedReply, JsonReply, Reply } from './reply.ts';
import type { Handle } from './router.ts';
import type { StreamedReply } from '../streaming/event-pipe.ts';
import type { MessageModel, MessageModelList } from '../models/message-models.ts';
import type { RelayedCompletion, RelayedMessage } from '../streaming/relay.ts';
import { createFormReader } from './forms/form-reader.ts';
import type { FormReader } from './forms/form-reader.ts';
import type { Route } from './request-state.ts';

type QueryOf<Id extends EndpointId> = Contract[Id] extends Endpoint<string, infer Query> ? Query : never;
type BodyOf<Id extends EndpointId> = Contract[Id] extends Endpoint<string, unknown, infer Body> ? Body : never;

/** Bodies that are those of an upstream or of the Messages API, by endpoint. */
interface OtherBodies {
  readonly 'chat.completions.create': RelayedCompletion;
  readonly 'messages.create': RelayedMessage;
  readonly 'models.list': MessageModelList;
  readonly 'models.retrieve': MessageModel;
}

/** What the contract says an endpoint replies: a JSON body, which some can stream as events, events alone, or bytes. */
type ReplyOf<Id extends EndpointId> = Id extends keyof ResponseBodies
  ? JsonReply<BodyOfReply<Id>> | (Id extends keyof ResponseEvents ? StreamedReply : never)
  : Id extends keyof ResponseEvents
    ? StreamedReply
    : BytesReply;
type BodyOfReply<Id extends keyof ResponseBodies> =
  ResponseBodies[Id] | (Id extends keyof OtherBodies ? OtherBodies[Id] : never);

/** What a server does at an endpoint. The contract has parsed the call. */
type Handler<Body, Query, Replied extends Reply = Reply> = (
  call: Call<Body, Query>,
  server: ServerContext,
) => Replied | Promise<Replied>;

/** Endpoints whose handler receives a form itself. */
type StreamedId = { [Id in EndpointId]: BodyOf<Id> extends StreamedForm ? Id : never }[EndpointId];
type ParsedId = Exclude<EndpointId, StreamedId>;
type FieldsOf<Id extends StreamedId> = BodyOf<Id> extends StreamedForm<infer Fields> ? Fields : never;

type ParsedHandlers = { readonly [Id in ParsedId]: Handler<BodyOf<Id>, QueryOf<Id>, ReplyOf<Id>> };
type StreamedHandlers = {
  readonly [Id in StreamedId]: Handler<FormReader<FieldsOf<Id>>, QueryOf<Id>, ReplyOf<Id> | CachedReply>;
};

/**
 * A handler for each endpoint of the contract: one that is missing, has another ID, takes other
 * parameters or replies something else does not compile.
 */
export type Handlers = ParsedHandlers & StreamedHandlers;

/** The handlers of one resource: of the endpoints whose IDs consist of this prefix and one more name. */
export type HandlersOf<Prefix extends string> = {
  readonly [
    Id in EndpointId as Id extends `${Prefix}.${infer Name}` ? (Name extends `${string}.${string}` ? never : Id) : never
  ]: Handlers[Id];
};

type ParsedEntries = { readonly [Id in ParsedId]: Endpoint<Id, QueryOf<Id>, BodyOf<Id>> };
type StreamedEntries = { readonly [Id in StreamedId]: Endpoint<Id, QueryOf<Id>, StreamedForm<FieldsOf<Id>>> };
const entries: Readonly<Record<EndpointId, Endpoint>> = contract;
const parsedEntries: ParsedEntries = contract;
const streamedEntries: StreamedEntries = contract;

/** An endpoint that a server offers. */
export interface MountedEndpoint {
  readonly contract: Endpoint;
  readonly method: string;
  /** With the version's prefix, and parameters as `{name}`. */
  readonly path: string;
  readonly handler: (server: ServerContext) => Handle;
  /** Handles requests that the server sends to itself, without HTTP. */
  readonly internal: (server: ServerContext) => InternalDispatch;
}

/** Endpoints to which the server can send requests itself, such as the lines of batches: those with JSON bodies and complete JSON responses. */
const batchEndpoints: ReadonlySet<string> = new Set<BatchEndpoint>([
  '/v1/chat/completions',
  '/v1/moderations',
  '/v1/responses',
  '/v1/messages',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/datasets',
  '/v1/datasets/compare',
  '/v1/datasets/rerun',
]);

/** Whether batch lines can use the endpoint. */
export function isBatchEndpoint({ method, path }: MountedEndpoint): boolean {
  return method === 'POST' && batchEndpoints.has(path);
}

/** The endpoints of the contract that a server with these parts can offer. */
export function implement(handlers: Handlers, parts: ReadonlySet<EndpointNeed>): readonly MountedEndpoint[] {
  return Object.keys(entries)
    .filter(isEndpointId)
    .filter((id) => entries[id].needs.every((need) => parts.has(need)))
    .map((id) => (isStreamed(id) ? mountStreamed(id, handlers) : mountParsed(id, handlers)));
}

function mountParsed<Id extends ParsedId>(id: Id, handlers: Pick<ParsedHandlers, Id>): MountedEndpoint {
  return mount<BodyOf<Id>, QueryOf<Id>>(parsedEntries[id], parsedBody(parsedEntries[id]), handlers[id]);
}

function mountStreamed<Id extends StreamedId>(id: Id, handlers: Pick<StreamedHandlers, Id>): MountedEndpoint {
  const body = streamedBody(streamedEntries[id]);
  return mount<FormReader<FieldsOf<Id>>, QueryOf<Id>>(streamedEntries[id], body, handlers[id]);
}

const isEndpointId = (id: string): id is EndpointId => Object.hasOwn(contract, id);
const isStreamed = (id: EndpointId): id is StreamedId =>
  entries[id].request.some((body) => body.type === 'multipart/form-data' && body.isStreamed);

type BodyOfRoute<Body> = Pick<Route<Body, unknown>, 'json' | 'form' | 'read'>;

function parsedBody<Body>({ request }: Endpoint<string, unknown, Body>): BodyOfRoute<Body> {
  return {
    json: request.find((body) => body.type === 'application/json'),
    form: request.find((body) => body.type === 'multipart/form-data'),
  };
}

function streamedBody<Fields>({
  request,
}: Endpoint<string, unknown, StreamedForm<Fields>>): BodyOfRoute<FormReader<Fields>> {
  const form = request.find((body) => body.type === 'multipart/form-data');
  if (!form) throw new TypeError('an endpoint with a streamed form lists none');
  return { read: (state) => createFormReader(state, form) };
}

function mount<Body, Query>(
  entry: Endpoint<EndpointId, Query>,
  body: BodyOfRoute<Body>,
  handle: Handler<Body, Query>,
): MountedEndpoint {
  const { access, isIdempotent, streamIdPrefix, parseQuery } = entry;
  const { method } = entry.route;
  const path = `/v1${entry.route.path}`;
  const route = { method, path, access, isIdempotent, streamIdPrefix, parseQuery, ...body, handle };
  return {
    contract: entry,
    method,
    path,
    handler: (server) => createRequestHandler(route, server),
    internal: (server) => createInternalDispatch(route, server),
  };
}
