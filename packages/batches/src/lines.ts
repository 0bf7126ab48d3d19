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

interface Bodies {
  '/v1/chat/completions': ChatCompletionCreateParamsNonStreaming;
  '/v1/moderations': ModerationCreateParams;
  '/v1/videos': VideoCreateFields;
}

interface Answers {
  '/v1/chat/completions': ChatCompletion;
  '/v1/moderations': Moderation;
  '/v1/videos': Video;
}

/** The body of a request of this endpoint; of those that this package has no types for, any object. */
export type BatchBody<E extends BatchEndpoint> = E extends keyof Bodies ? Bodies[E] : Readonly<Record<string, unknown>>;

/** What this endpoint answers. */
export type BatchAnswer<E extends BatchEndpoint> = E extends keyof Answers ? Answers[E] : Record<string, unknown>;

/** One request of a batch. */
export interface BatchRequest<E extends BatchEndpoint = BatchEndpoint> {
  /** Names the result; unique in its batch. */
  readonly custom_id: string;
  readonly body: BatchBody<E>;
}

/** What is common to both kinds of results. */
interface Result {
  readonly custom_id: string;
  /** The line as it came. */
  readonly line: BatchOutputLine;
}

/** A request that was answered. */
export interface BatchSuccess<E extends BatchEndpoint = BatchEndpoint> extends Result {
  readonly ok: true;
  readonly status: number;
  readonly body: BatchAnswer<E>;
}

/** A request that was refused, or not answered before the batch ended. */
export interface BatchFailure extends Result {
  readonly ok: false;
  /** Absent when there was no answer, as when the batch expired (`batch_expired`) or was cancelled (`batch_cancelled`). */
  readonly status: number | undefined;
  readonly error: {
    readonly message: string;
    readonly type?: string | undefined;
    readonly param?: string | undefined;
    readonly code?: string | undefined;
  };
}

/** What came of one request, told apart by `ok`. */
export type BatchResult<E extends BatchEndpoint = BatchEndpoint> = BatchSuccess<E> | BatchFailure;

/** The result that a line of an output or error file tells of. Its body's type is the server's word. */
export function resultOf<E extends BatchEndpoint>(line: BatchOutputLine): BatchResult<E> {
  const { custom_id, response, error } = line;
  const status = response?.status_code;
  if (response && response.status_code < 400 && !error) {
    return { ok: true, custom_id, status: response.status_code, body: response.body as BatchAnswer<E>, line };
  }
  const body: unknown = response?.body;
  const given = error ?? (isFields(body) ? body['error'] : undefined);
  const fields: Record<string, unknown> = isFields(given) ? given : {};
  const text = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' ? value : undefined;
  };
  const message =
    text('message') ?? (status === undefined ? 'There was no answer.' : `The answer has status ${status}.`);
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
