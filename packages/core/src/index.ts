export { createSseDecoder, readSse } from './sse/decode.ts';
export type { SseDecoder, SseDecoderOptions, SseEvent } from './sse/decode.ts';
export { DONE, DONE_EVENT, encodeComment, encodeData } from './sse/encode.ts';

// Re-exported by every client: transport, options, results and errors.
export * from './client.ts';
export { apiError } from './errors.ts';
export type { ErrorDetails } from './errors.ts';

export { asJson, asResponse } from './transport/response-reader.ts';
export type { ResponseReader } from './transport/response-reader.ts';
export { asStream } from './streams/stream.ts';
export type { EventStream, StreamOptions, StreamState } from './streams/stream.ts';
export { createMethod } from './transport/create-method.ts';
export type { CreateMethod } from './transport/create-method.ts';
export type { ClientOptions } from './transport/transport.ts';
export { mapApiPromise } from './transport/map-api-promise.ts';
export { toModelwireError } from './transport/exchange.ts';
export type { Exchange } from './transport/exchange.ts';
export type { Body, RequestOptions } from './transport/options.ts';
export { encodeForm, uploadTimeouts } from './files/multipart.ts';
export type { FileSource, FormFields, FormFile, FormValue } from './files/multipart.ts';
export { toFormFile } from './files/uploadable.ts';
export type { ByteStream, Uploadable } from './files/uploadable.ts';
export type { BodySource } from './transport/body.ts';
export { jsonInteger } from './json-integer.ts';
export { download } from './files/download.ts';
export type { ByteRange, DownloadOptions } from './files/download.ts';
export { readChunks, toStream } from './streams/chunks.ts';
export type { HttpMethod, PathParams, Query, QueryValue, Route } from './transport/url.ts';
export { listPages, paginate } from './paging.ts';
export type { Page, Paged } from './paging.ts';
export { addCounts, addUsage } from './usage.ts';
export type { Usage } from './usage.ts';
export { sleep, waitFor } from './wait.ts';
export type { WaitOptions } from './wait.ts';
export { createAccumulatedStream } from './streams/accumulated-stream.ts';
export type { AccumulatedStream, Accumulator, EmitFrom } from './streams/accumulated-stream.ts';
