export interface EndpointError {
  readonly status: number;
  /** The `code`s of the error body. */
  readonly codes: readonly string[];
  readonly when: string;
}

export const endpointError = (status: number, codes: readonly string[], when: string): EndpointError => ({
  status,
  codes,
  when,
});

/** Errors of every endpoint. */
export const universal: readonly EndpointError[] = [
  endpointError(401, ['missing_api_key', 'invalid_api_key'], 'The key is missing or wrong.'),
  endpointError(
    403,
    ['insufficient_permissions', 'model_not_allowed', 'model_without_price', 'storage_quota_exceeded'],
    'The key’s role, or what administrators have set for it, does not allow this.',
  ),
  endpointError(
    429,
    ['rate_limit_exceeded', 'insufficient_quota'],
    'A budget is exhausted, or too many requests or tokens in this minute; `retry-after` says when to come back.',
  ),
  endpointError(431, ['headers_too_large'], 'The path, the query and the headers are too large.'),
  endpointError(500, ['internal_error'], 'The server had an error while processing the request.'),
  endpointError(
    503,
    ['overloaded', 'shutting_down', 'storage_unavailable'],
    'Too many requests are waiting, or the server is stopping. Retry later.',
  ),
];

/** The request does not conform to the contract. */
export const invalidRequest = endpointError(
  400,
  [
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
  'The request is malformed or breaks a rule; `param` names the field.',
);

/** Errors of endpoints with a request body. */
export const invalidBody: readonly EndpointError[] = [
  endpointError(408, ['request_timeout'], 'The body was not sent in time.'),
  endpointError(413, ['request_too_large'], 'The body is too large.'),
  endpointError(
    415,
    ['unsupported_content_type', 'unsupported_content_encoding'],
    'The body has another media type, or is compressed.',
  ),
];

/** The object in the path does not exist. */
export const objectNotFound = (object: string): EndpointError =>
  endpointError(404, ['not_found'], `There is no such ${object}.`);

export const unknownModel = endpointError(404, ['model_not_found'], 'There is no such model.');

/** A `Range` header that cannot be satisfied. */
export const outOfRange = endpointError(
  416,
  ['range_not_satisfiable'],
  'The `Range` header names bytes beyond the end of the content.',
);

/** The command that redacts datasets failed. */
export const redactionFailed = endpointError(
  500,
  ['redaction_failed'],
  'The command with which the operator redacts datasets failed. Retrying does not help.',
);

/** A list whose filter is too slow for the storage. */
export const slowQuery = endpointError(
  503,
  ['query_timeout'],
  'The filter takes longer than the storage allows: narrow it.',
);

/** The model does not support a parameter. */
export const unsupported = endpointError(
  400,
  ['unsupported_parameter', 'unsupported_value'],
  'The model cannot honour a parameter, or a value of it; `param` names it.',
);

/** The upstream of the model failed. */
export const upstreamFailed: readonly EndpointError[] = [
  endpointError(500, ['upstream_error'], 'The upstream failed at this request; the message is its own.'),
  endpointError(
    502,
    [
      'upstream_error',
      'upstream_malformed',
      'upstream_incomplete',
      'upstream_stream_interrupted',
      'upstream_authentication_failed',
    ],
    'The upstream failed.',
  ),
  endpointError(503, ['upstream_unavailable'], 'The upstream is unreachable, or paused after repeated failures.'),
  endpointError(504, ['upstream_timeout'], 'The upstream did not respond in time.'),
];

/** An `Idempotency-Key` that is in use. */
export const idempotencyKeyInUse = endpointError(
  409,
  ['idempotency_key_in_use', 'idempotency_key_reused'],
  'Another request has this `Idempotency-Key`, or had it, and it is not a stream that can be joined.',
);

/** How a stream ends that can be resumed and did not complete: as its last event, or as the status if no event was left to send. */
export const streamEnded: readonly EndpointError[] = [
  endpointError(404, ['stream_cancelled'], 'The completion was deleted while it was generated.'),
  endpointError(
    408,
    ['stream_abandoned'],
    'The generation was stopped, because no client read the stream for too long.',
  ),
  endpointError(500, ['stream_interrupted'], 'The server that generated the stream stopped. Send the request again.'),
];

/** The state of the object does not allow the call: a 400, because official clients retry a 409. */
export const invalidState = (when: string): EndpointError => endpointError(400, ['invalid_state'], when);

/** The batch has ended or has no lines left to cancel. Hosted services return a 409; a header prevents retries by official clients. */
export const notCancellable = endpointError(
  409,
  ['batch_not_cancellable'],
  'The batch is finalizing or has ended, other than by being cancelled.',
);

export const rotationInProgress = endpointError(
  409,
  ['rotation_in_progress'],
  'The grace period of the previous rotation has not ended, and `grace_seconds` is set. Retrying does not help.',
);

export const previousNotFound = endpointError(
  400,
  ['previous_response_not_found', 'history_too_large', 'invalid_state'],
  'The response in `previous_response_id` does not exist, was not stored or has not ended, or the history is too large.',
);

/** Errors of an endpoint that gives its body to a model. */
export const modelFailed: readonly EndpointError[] = [
  unsupported,
  unknownModel,
  idempotencyKeyInUse,
  ...upstreamFailed,
];
