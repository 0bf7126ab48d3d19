import type {
  BatchEndpoint,
  BatchOutputLine,
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
  Moderation,
  ModerationCreateParams,
  Video,
  VideoCreateFields,
} from '@modelwire/schema/types';

interface RequestBodies {
  '/v1/chat/completions': ChatCompletionCreateParamsNonStreaming;
  '/v1/moderations': ModerationCreateParams;
  '/v1/videos': VideoCreateFields;
}

interface ResponseBodies {
  '/v1/chat/completions': ChatCompletion;
  '/v1/moderations': Moderation;
  '/v1/videos': Video;
}

/** The request body of this endpoint; any object for endpoints without a type here. */
export type BatchRequestBody<E extends BatchEndpoint> = E extends keyof RequestBodies
  ? RequestBodies[E]
  : Readonly<Record<string, unknown>>;

/** The response body of this endpoint. */
export type BatchResponseBody<E extends BatchEndpoint> = E extends keyof ResponseBodies
  ? ResponseBodies[E]
  : Record<string, unknown>;

/** One request of a batch. */
export interface BatchRequest<E extends BatchEndpoint = BatchEndpoint> {
  /** Identifies the result; unique in its batch. */
  readonly custom_id: string;
  readonly body: BatchRequestBody<E>;
}

/** The fields that all results have. */
interface Result {
  readonly custom_id: string;
  /** The unchanged line. */
  readonly line: BatchOutputLine;
}

/** A successful request. */
export interface BatchSuccess<E extends BatchEndpoint = BatchEndpoint> extends Result {
  readonly ok: true;
  readonly status: number;
  readonly body: BatchResponseBody<E>;
}

/** A request that failed, or was not run before the batch ended. */
export interface BatchFailure extends Result {
  readonly ok: false;
  /** Absent without a response, as when the batch expired (`batch_expired`) or was cancelled (`batch_cancelled`). */
  readonly status: number | undefined;
  readonly error: {
    readonly message: string;
    readonly type?: string | undefined;
    readonly param?: string | undefined;
    readonly code?: string | undefined;
  };
}

/** The result of one request, discriminated by `ok`. */
export type BatchResult<E extends BatchEndpoint = BatchEndpoint> = BatchSuccess<E> | BatchFailure;

/** Parses a line of an output or error file. The type of its body is not checked. */
export function parseResult<E extends BatchEndpoint>(line: BatchOutputLine): BatchResult<E> {
  const { custom_id, response, error } = line;
  const status = response?.status_code;
  if (response && response.status_code < 400 && !error) {
    return { ok: true, custom_id, status: response.status_code, body: response.body as BatchResponseBody<E>, line };
  }
  const body: unknown = response?.body;
  const failure = error ?? (isFields(body) ? body['error'] : undefined);
  const fields: Record<string, unknown> = isFields(failure) ? failure : {};
  const text = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' ? value : undefined;
  };
  const message =
    text('message') ?? (status === undefined ? 'There was no response.' : `The response has status ${status}.`);
  return {
    ok: false,
    custom_id,
    status,
    error: { message, type: text('type'), param: text('param'), code: text('code') },
    line,
  };
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
