import { asJson, asStream, createMethod, createTransport, listPages } from '@modelwire/core';
import type { ApiPromise, CallOptions, ClientOptions, CreateMethod, EventStream, Paged } from '@modelwire/core';
import {
  cancelResponse,
  compactResponse,
  countResponseInputTokens,
  createResponse,
  deleteResponse,
  listResponseInputItems,
  retrieveResponse,
} from '@modelwire/schema/routes';
import type {
  CompactedResponse,
  ResponseCompactParams,
  ResponseCreateParamsBase,
  ResponseDeleted,
  ResponseInputTokens,
  ResponseInputTokensParams,
  ResponseItemList,
  ResponseItemListParams,
  ResponseObject,
  ResponseRetrieveParams,
  ResponseStreamEvent,
} from '@modelwire/schema/types';
import { isLastEvent } from './accumulate.ts';
import { mapReader } from './map-reader.ts';
import { withOutputText } from './output-text.ts';
import type { ModelResponse } from './output-text.ts';
import { createResponseStream } from './stream.ts';
import type { ResponseStream } from './stream.ts';

export type { ClientOptions } from '@modelwire/core';

/** Body of Create response. `stream` is always true. */
export interface ResponseStreamParams extends Omit<ResponseCreateParamsBase, 'stream'> {
  readonly stream?: true;
}

/** A background response that was created with `stream`. */
export interface StoredResponseStreamParams extends Omit<ResponseRetrieveParams, 'stream'> {
  readonly response_id: string;
}

/** Query of Retrieve response with `stream: true`. */
export interface ResponseRetrieveParamsStreaming extends ResponseRetrieveParams {
  readonly stream: true;
}

/** Query of Retrieve response without `stream`. */
export interface ResponseRetrieveParamsNonStreaming extends Omit<ResponseRetrieveParams, 'starting_after'> {
  readonly stream?: false;
}

/** Items of the input of stored responses. */
export interface ResponseInputItems {
  /** Lists the input of a stored response: `await` one page, or iterate all items with `for await`. The newest come first. */
  list(responseId: string, params?: ResponseItemListParams, options?: CallOptions): Paged<ResponseItemList>;
}

export interface ResponseInputTokenCounts {
  /** Counts the tokens of an input without generating anything. */
  count(params: ResponseInputTokensParams, options?: CallOptions): ApiPromise<ResponseInputTokens>;
}

/** Every method rejects only with a `ModelwireError`. */
export interface ResponsesClient {
  /** Creates a response: complete, or with `stream: true` as events. */
  readonly create: CreateMethod<ResponseCreateParamsBase, ModelResponse, ResponseStreamEvent>;
  /**
   * Streams and accumulates a response: events, text, and the whole response at the end. With `response_id`, the events of a background
   * response, from the one after `starting_after`.
   */
  stream(params: ResponseStreamParams | StoredResponseStreamParams, options?: CallOptions): ResponseStream;

  /** Retrieves a stored response; with `stream: true`, the events of a background response that was created with `stream`. */
  retrieve(
    responseId: string,
    params?: ResponseRetrieveParamsNonStreaming,
    options?: CallOptions,
  ): ApiPromise<ModelResponse>;
  retrieve(
    responseId: string,
    params: ResponseRetrieveParamsStreaming,
    options?: CallOptions,
  ): ApiPromise<EventStream<ResponseStreamEvent>>;
  /** Deletes a stored response. */
  delete(responseId: string, options?: CallOptions): ApiPromise<ResponseDeleted>;
  /** Cancels a background response. One that has ended is returned unchanged. */
  cancel(responseId: string, options?: CallOptions): ApiPromise<ModelResponse>;
  /** Replaces the earlier turns of a conversation by a summary: the `output` is the input of the next response. */
  compact(params: ResponseCompactParams, options?: CallOptions): ApiPromise<CompactedResponse>;
  readonly inputItems: ResponseInputItems;
  readonly inputTokens: ResponseInputTokenCounts;
}

/** Creates a client for responses. Throws an `InputError` for an invalid base URL. */
export function createResponses(options: ClientOptions = {}): ResponsesClient {
  const transport = createTransport(options);
  const asResponse = mapReader(asJson<ResponseObject>(), withOutputText);
  const asEvents = asStream<ResponseStreamEvent>({ isLast: isLastEvent });

  const create: ResponsesClient['create'] = createMethod(transport, createResponse, asResponse, (options) =>
    transport.request(createResponse, options, asEvents),
  );

  function retrieve(
    response_id: string,
    query?: ResponseRetrieveParamsNonStreaming,
    options?: CallOptions,
  ): ApiPromise<ModelResponse>;
  function retrieve(
    response_id: string,
    query: ResponseRetrieveParamsStreaming,
    options?: CallOptions,
  ): ApiPromise<EventStream<ResponseStreamEvent>>;
  function retrieve(
    response_id: string,
    query?: ResponseRetrieveParams,
    options?: CallOptions,
  ): ApiPromise<ModelResponse | EventStream<ResponseStreamEvent>> {
    const request = { ...options, params: { response_id }, query: { ...query } };
    return query?.stream === true
      ? transport.request(retrieveResponse, request, asEvents)
      : transport.request(retrieveResponse, request, asResponse);
  }

  function stream(params: ResponseStreamParams | StoredResponseStreamParams, options?: CallOptions): ResponseStream {
    return createResponseStream((signal) => {
      const request = { ...options, signal };
      if (!('response_id' in params)) return create({ ...params, stream: true }, request);
      const { response_id, ...query } = params;
      return retrieve(response_id, { ...query, stream: true }, request);
    }, options?.signal);
  }

  return {
    create,
    stream,
    retrieve,
    delete: (response_id, options) => transport.request(deleteResponse, { ...options, params: { response_id } }),
    cancel: (response_id, options) =>
      transport.request(cancelResponse, { ...options, params: { response_id } }, asResponse),
    compact: (body, options) => transport.request(compactResponse, { ...options, body }),
    inputItems: {
      list: (response_id, query, options) =>
        listPages(transport, listResponseInputItems, query, { ...options, params: { response_id } }),
    },
    inputTokens: {
      count: (body, options) => transport.request(countResponseInputTokens, { ...options, body }),
    },
  };
}
