export { createSseDecoder, readSse } from './sse/decode.ts';
export type { SseDecoder, SseDecoderOptions, SseEvent } from './sse/decode.ts';
export { DONE, DONE_EVENT, encodeComment, encodeData } from './sse/encode.ts';

// What every client gives on to its users: transport, options, results and errors.
export * from './client.ts';
export type { ErrorDetails } from './errors.ts';

export { asJson, asResponse } from './answer.ts';
export type { AnswerKind } from './answer.ts';
export { asStream } from './stream.ts';
export type { EventStream, StreamState } from './stream.ts';
export type { Exchange } from './exchange.ts';
export type { Body, RequestOptions } from './options.ts';
export { encodeForm, patience } from './multipart.ts';
export type { FileSource, FormFields, FormFile, FormValue } from './multipart.ts';
export { formFile } from './uploadable.ts';
export type { ByteStream, Uploadable } from './uploadable.ts';
export type { BodySource } from './body.ts';
export { jsonInteger } from './json-integer.ts';
export { download } from './download.ts';
export type { ByteRange, DownloadOptions } from './download.ts';
export { readChunks, toStream } from './chunks.ts';
export type { HttpMethod, PathParams, Query, QueryValue, Route } from './url.ts';
export { paginate } from './paging.ts';
export type { Page, Paged } from './paging.ts';
export { pause, waitFor } from './wait.ts';
export type { WaitOptions } from './wait.ts';
