import * as z from 'zod';
import { emptyQuerySchema } from '../paging.ts';
import type { Route } from '../routes.ts';
import { pathParameters } from './parameters.ts';

/** A file in a multipart form. */
export interface FileField {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly maxBytes?: number;
}

/** Complete request bodies by title; the first is the default. IDs of other objects (`file-abc123`) are placeholders. */
export type RequestExamples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** One media type of the request body. `schema` parses JSON, and the text fields of a form through `parseFields`. */
export type RequestBody =
  | { readonly type: 'application/json'; readonly schema: z.ZodObject; readonly examples: RequestExamples }
  | {
      readonly type: 'multipart/form-data';
      readonly schema: z.ZodObject;
      readonly examples: RequestExamples;
      readonly files: readonly FileField[];
    };

export type ResponseBody =
  | { readonly type: 'application/json'; readonly schema: z.ZodType }
  | { readonly type: 'binary'; readonly mediaTypes: readonly string[]; readonly description: string };

export interface EndpointError {
  readonly status: number;
  /** The `code`s of the error body. */
  readonly codes: readonly string[];
  readonly when: string;
}

/** The single definition of an endpoint, which servers, clients, the OpenAPI document and the conformance suite use. */
export interface Endpoint<Id extends string = string, Query extends z.ZodObject = z.ZodObject> {
  readonly id: Id;
  readonly route: Route;
  readonly summary: string;
  /** The section in the API; `companion` for endpoints that it does not describe. */
  readonly section: string;
  readonly pathParams: z.ZodObject;
  readonly query: Query;
  /** The media types of the body; empty without a body. */
  readonly request: readonly RequestBody[];
  readonly response: ResponseBody;
  /** The payload of each server-sent event, for endpoints that can stream. */
  readonly event?: z.ZodType;
  /** Headers that only responses of this endpoint have, by name, with a description of each. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly errors: readonly EndpointError[];
}

export const json = (schema: z.ZodObject, examples: RequestExamples): RequestBody => ({
  type: 'application/json',
  schema,
  examples,
});

export const form = (schema: z.ZodObject, examples: RequestExamples, ...files: FileField[]): RequestBody => ({
  type: 'multipart/form-data',
  schema,
  examples,
  files,
});

const UNIVERSAL: readonly EndpointError[] = [
  { status: 401, codes: ['missing_api_key', 'invalid_api_key'], when: 'The key is missing or wrong.' },
  {
    status: 403,
    codes: ['insufficient_permissions', 'model_not_allowed', 'model_without_price', 'storage_quota_exceeded'],
    when: 'The key’s role, or what administrators have set for it, does not allow this.',
  },
  {
    status: 429,
    codes: ['rate_limit_exceeded', 'insufficient_quota'],
    when: 'A budget is exhausted, or too many requests or tokens in this minute; `retry-after` says when to come back.',
  },
  { status: 431, codes: ['headers_too_large'], when: 'The path, the query and the headers are too large.' },
  { status: 500, codes: ['internal_error'], when: 'The server failed.' },
  {
    status: 503,
    codes: ['overloaded', 'shutting_down', 'storage_unavailable'],
    when: 'Too many requests are waiting, or the server is stopping. Retry later.',
  },
];

const INVALID: EndpointError = {
  status: 400,
  codes: [
    'missing_required_parameter',
    'unknown_parameter',
    'invalid_type',
    'invalid_value',
    'integer_above_max_value',
    'integer_below_min_value',
    'decimal_above_max_value',
    'decimal_below_min_value',
    'string_above_max_length',
    'string_below_min_length',
    'empty_string',
    'array_above_max_length',
    'array_below_min_length',
    'empty_array',
    'object_above_max_properties',
    'object_below_min_properties',
    'request_too_complex',
    'invalid_json',
    'invalid_encoding',
    'invalid_form',
  ],
  when: 'The request is malformed or breaks a rule; `param` names the field.',
};

const BODY: readonly EndpointError[] = [
  { status: 408, codes: ['request_timeout'], when: 'The body was not sent in time.' },
  { status: 413, codes: ['request_too_large'], when: 'The body is too large.' },
  {
    status: 415,
    codes: ['unsupported_content_type', 'unsupported_content_encoding'],
    when: 'The body has another media type, or is compressed.',
  },
];

/** The object in the path does not exist. */
export const objectNotFound = (object: string): EndpointError => ({
  status: 404,
  codes: ['not_found'],
  when: `There is no such ${object}.`,
});

export const unknownModel: EndpointError = {
  status: 404,
  codes: ['model_not_found'],
  when: 'There is no such model.',
};

/** A `Range` header that cannot be satisfied. */
export const outOfRange: EndpointError = {
  status: 416,
  codes: ['range_not_satisfiable'],
  when: 'The `Range` header names bytes beyond the end of the content.',
};

/** A list whose filter is too slow for the storage. */
export const slowQuery: EndpointError = {
  status: 503,
  codes: ['query_timeout'],
  when: 'The filter takes longer than the storage allows: narrow it.',
};

/** The model does not support a parameter. */
export const unsupported: EndpointError = {
  status: 400,
  codes: ['unsupported_parameter', 'unsupported_value'],
  when: 'The model cannot honour a parameter, or a value of it; `param` names it.',
};

/** The upstream of the model failed. */
export const upstreamFailed: readonly EndpointError[] = [
  { status: 500, codes: ['upstream_error'], when: 'The upstream failed at this request; the message is its own.' },
  {
    status: 502,
    codes: [
      'upstream_error',
      'upstream_malformed',
      'upstream_incomplete',
      'upstream_stream_interrupted',
      'upstream_authentication_failed',
    ],
    when: 'The upstream failed.',
  },
  {
    status: 503,
    codes: ['upstream_unavailable'],
    when: 'The upstream is unreachable, or paused after repeated failures.',
  },
  { status: 504, codes: ['upstream_timeout'], when: 'The upstream did not respond in time.' },
];

/** An `Idempotency-Key` that is in use. */
export const idempotencyKeyInUse: EndpointError = {
  status: 409,
  codes: ['idempotency_key_in_use', 'idempotency_key_reused'],
  when: 'Another request has this `Idempotency-Key`, or had it.',
};

/** The state of the object does not allow the call: a 400, because official clients retry a 409. */
export const invalidState = (when: string): EndpointError => ({ status: 400, codes: ['invalid_state'], when });

/** The batch has ended or has no lines left to cancel. Hosted services return a 409; a header prevents retries by official clients. */
export const notCancellable: EndpointError = {
  status: 409,
  codes: ['batch_not_cancellable'],
  when: 'The batch is finalizing or has ended, other than by being cancelled.',
};

export const rotationInProgress: EndpointError = {
  status: 409,
  codes: ['rotation_in_progress'],
  when: 'The grace period of the previous rotation has not ended, and `grace_seconds` is set. Retrying does not help.',
};

interface EndpointInit
  extends
    Pick<Endpoint, 'route' | 'summary' | 'section'>,
    Partial<Pick<Endpoint, 'request' | 'event' | 'responseHeaders' | 'errors'>> {
  readonly response: z.ZodType | ResponseBody;
}

/** Completes an entry: derives the path parameters from the path and adds the errors that all endpoints have. */
export function endpoint<const Id extends string>(id: Id, init: EndpointInit): Endpoint<Id, typeof emptyQuerySchema>;
export function endpoint<const Id extends string, Query extends z.ZodObject>(
  id: Id,
  init: EndpointInit & { readonly query: Query },
): Endpoint<Id, Query>;
export function endpoint(id: string, init: EndpointInit & { readonly query?: z.ZodObject }): Endpoint {
  const { response, request = [], errors = [], query = emptyQuerySchema } = init;
  return {
    ...init,
    id,
    query,
    request,
    pathParams: pathParameters(init.route.path),
    response: response instanceof z.ZodType ? { type: 'application/json', schema: response } : response,
    errors: [INVALID, ...errors, ...(request.length > 0 ? BODY : []), ...UNIVERSAL],
  };
}
