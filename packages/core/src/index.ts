export { createSseDecoder, readSse } from './sse/decode.ts';
export type { SseDecoder, SseDecoderOptions, SseEvent } from './sse/decode.ts';
export { DONE, DONE_EVENT, encodeComment, encodeData } from './sse/encode.ts';

// Re-exported by every client: transport, options, results and errors.
export * from './client.ts';
export type { ErrorDetails } from './errors.ts';

export { asJson, asResponse } from './response-reader.ts';
export type { ResponseReader } from './response-reader.ts';
export { asStream } from './stream.ts';
export type { EventStream, StreamOptions, StreamState } from './stream.ts';
export { createMethod } from './create-method.ts';
export type { CreateMethod } from './create-method.ts';
export type { ClientOptions } from './transport.ts';
export { mapApiPromise } from './map-api-promise.ts';
export { toModelwireError } from './exchange.ts';
export type { Exchange } from './exchange.ts';
export type { Body, RequestOptions } from './options.ts';
export { encodeForm, uploadTimeouts } from './multipart.ts';
export type { FileSource, FormFields, FormFile, FormValue } from './multipart.ts';
export { toFormFile } from './uploadable.ts';
export type { ByteStream, Uploadable } from './uploadable.ts';
export type { BodySource } from './body.ts';
export { jsonInteger } from './json-integer.ts';
export { download } from './download.ts';
export type { ByteRange, DownloadOptions } from './download.ts';
export { readChunks, toStream } from './chunks.ts';
export type { HttpMethod, PathParams, Query, QueryValue, Route } from './url.ts';
export { listPages, paginate } from './paging.ts';
export type { Page, Paged } from './paging.ts';
export { addCounts, addUsage } from './usage.ts';
export type { Usage } from './usage.ts';
export { sleep, waitFor } from './wait.ts';
export type { WaitOptions } from './wait.ts';
export { createAccumulatedStream } from './accumulated-stream.ts';
export type { AccumulatedStream, Accumulator, EmitFrom } from './accumulated-stream.ts';
