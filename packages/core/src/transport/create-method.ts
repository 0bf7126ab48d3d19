import type { CallOptions, RequestOptions } from './options.ts';
import type { ResponseReader } from './response-reader.ts';
import { asStream } from '../streams/stream.ts';
import type { EventStream } from '../streams/stream.ts';
import type { ApiPromise, Transport } from './transport.ts';
import type { Route } from './url.ts';

/** A method that creates a reply: complete, or with `stream: true` as events. */
export interface CreateMethod<Params, Reply, Event> {
  (params: Params & { readonly stream?: false | null }, options?: CallOptions): ApiPromise<Reply>;
  (params: Params & { readonly stream: true }, options?: CallOptions): ApiPromise<EventStream<Event>>;
  (params: Params, options?: CallOptions): ApiPromise<Reply | EventStream<Event>>;
}

/** The method that creates a reply at a route. */
export function createMethod<Params extends { readonly stream?: boolean | null }, Reply, Event>(
  transport: Transport,
  route: Route,
  asReply?: ResponseReader<Reply>,
  openEvents: (options: RequestOptions, params: Params) => ApiPromise<EventStream<Event>> = (options) =>
    transport.request(route, options, asStream<Event>()),
): CreateMethod<Params, Reply, Event> {
  function create(params: Params & { readonly stream?: false | null }, options?: CallOptions): ApiPromise<Reply>;
  function create(params: Params & { readonly stream: true }, options?: CallOptions): ApiPromise<EventStream<Event>>;
  function create(params: Params, options?: CallOptions): ApiPromise<Reply | EventStream<Event>>;
  function create(params: Params, options?: CallOptions): ApiPromise<Reply | EventStream<Event>> {
    const request = { ...options, body: params };
    return params.stream === true ? openEvents(request, params) : transport.request(route, request, asReply);
  }
  return create;
}
