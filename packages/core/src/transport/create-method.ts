import type { CallOptions } from './options.ts';
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
  asEvents: ResponseReader<EventStream<Event>> = asStream(),
): CreateMethod<Params, Reply, Event> {
  function create(params: Params & { readonly stream?: false | null }, options?: CallOptions): ApiPromise<Reply>;
  function create(params: Params & { readonly stream: true }, options?: CallOptions): ApiPromise<EventStream<Event>>;
  function create(params: Params, options?: CallOptions): ApiPromise<Reply | EventStream<Event>>;
  function create(params: Params, options?: CallOptions): ApiPromise<Reply | EventStream<Event>> {
    return transport.request<Reply | EventStream<Event>>(
      route,
      { ...options, body: params },
      params.stream === true ? asEvents : asReply,
    );
  }
  return create;
}
