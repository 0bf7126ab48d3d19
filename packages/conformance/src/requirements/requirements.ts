/** A rule of the API, or several that belong together, with a number that stays. */
export interface Requirement {
  readonly id: string;
  readonly text: string;
  /** Patterns of IDs of checks; the first requirement that matches a check has it. Empty if it cannot be tested. */
  readonly checks: readonly string[];
  /** Why no check tests it. */
  readonly untestable?: string;
}

const tested = (id: string, text: string, ...checks: readonly string[]): Requirement => ({ id, text, checks });
const untested = (id: string, text: string, untestable: string): Requirement => ({ id, text, checks: [], untestable });

/** All requirements. Where several match a check, the first has it. */
export const requirements: readonly Requirement[] = [
  tested('EXT-1', 'Endpoints that only some servers have are served as documented.', 'capabilities.*', 'usage.*'),
  tested('EXT-2', 'A resumable stream can be read again, from any event.', 'chat.completions.resume/*'),
  tested(
    'EXT-3',
    'Fields that only some servers have have their documented form.',
    ...['batches.*.late*', 'batches.*.waiting_for*', 'models.*.kinds', 'models.*.dialect', '*.category_thresholds'],
    ...['*/request.min_p.*', '*/request.top_k.*', '*/request.typical_p.*', '*/request.repeat_penalty.*'],
    ...['chat.*.api_key_id', 'chat.*.cost', 'chat.*.cost.*', 'chat.*.duration_ms', 'chat.*.first_token_ms'],
    ...['chat.*.excerpt', 'chat.*.prompt_excerpt', 'chat.*.request_parameters'],
    ...['responses.*.client_metadata.*', 'responses.*.frequency_penalty*', 'responses.*.presence_penalty*'],
  ),

  tested(
    'MESSAGES-1',
    'Errors are {"type": "error", "error": {type, message}}.',
    'messages.*/refuses.*.named',
    'messages.*/error-shape',
  ),
  tested('MESSAGES-2', 'Tools are called as tool_choice says, and take results.', 'messages.create/tools.*'),
  tested('MESSAGES-3', 'A stream is typed events with blocks in their order.', 'messages.create/stream.*'),
  tested('MESSAGES-6', 'No prompt breaks out of the schema of a request.', 'messages.create/adversarial.*'),
  tested(
    'MESSAGES-4',
    'Each parameter has its effect, and the usage counts tokens.',
    ...['text', 'own-id', 'usage', 'max-tokens', 'stop-sequences', 'system', 'blocks', 'hints', 'key'].map(
      (name) => `messages.create/${name}`,
    ),
  ),
  tested(
    'MESSAGES-5',
    'Input tokens are counted without a message.',
    ...['count', 'tools', 'same'].map((name) => `messages.count_tokens/${name}`),
  ),

  tested('HTTP-1', 'Each documented endpoint is served.', '*/served'),
  tested(
    'HTTP-2',
    'A valid request succeeds with the documented media type.',
    '*/status',
    '*/content-type',
    '*/charset',
  ),
  tested(
    'HTTP-3',
    'Each response has an x-request-id of its own.',
    '*/request-id',
    '*/request-ids',
    '*/error-request-id',
  ),
  tested('HTTP-4', 'A request without a valid key is rejected with 401.', '*/auth.*', 'http/scheme'),
  tested('HTTP-5', 'A method that a path does not have is rejected with 405.', '*/method', '*/method.allow'),
  tested('HTTP-6', 'Errors are {"error": {message, type, param, code}}.', '*/error-shape', '*/body.*.named'),
  tested(
    'HTTP-7',
    'An error names the invalid parameter in param.',
    ...['refuses', 'request', 'query', 'md5'].map((kind) => `*/${kind}.*.named`),
  ),
  tested('HTTP-8', 'A body that is not a JSON object is rejected.', '*/body.*'),
  tested('HTTP-9', 'Unknown parameters are rejected and not dropped.', '*/request.unknown', '*/query.unknown'),
  tested('HTTP-10', 'A request without a required field is rejected.', '*/request.*.missing'),
  tested('HTTP-11', 'A field of another type is rejected.', '*/request.*.type'),
  tested('HTTP-12', 'A query parameter outside its range is rejected.', '*/query.*'),
  tested('HTTP-13', 'A value outside its range, or in conflict with another, is rejected.', '*/refuses.*'),
  tested('HTTP-14', 'Unknown paths and IDs return 404.', '*/absent', '*/absent-item', '*/unknown-path*'),
  tested('HTTP-15', 'Each field of a response has its documented form.', '*/response.*'),
  tested('HTTP-16', 'Each field of a chunk has its documented form.', '*/event.*'),
  tested('HTTP-17', 'Lists are paged by after, limit and order.', '*/paging.*', '*/limit.*'),
  tested('HTTP-18', 'A repeated Idempotency-Key does not repeat the effect.', '*/idempotency.*'),
  tested('HTTP-19', 'A 429 says when to try again, and limits are true.', 'http/rate-limit*'),
  tested('HTTP-20', 'An error within a stream is its last event.', 'http/error-frames'),
  tested(
    'HTTP-21',
    'No request makes the server fail.',
    ...['deep', 'utf-8', 'proto', 'no-failure'].map((name) => `http/${name}`),
  ),
  tested('HTTP-22', 'Load above a limit is rejected with its status.', 'http/large', 'http/burst'),
  untested('HTTP-25', 'Concurrent requests stay within a budget.', 'No header says what is left of a budget.'),
  untested('HTTP-23', 'A key without a permission is rejected with 403.', 'It needs a second key.'),
  untested(
    'HTTP-24',
    'A key without quota is rejected with insufficient_quota.',
    'It needs a key whose quota is used up.',
  ),

  tested('CHAT-1', 'A completion has one choice with a message and its usage.', 'chat.completions.create/whole.*'),
  tested('CHAT-2', 'Each parameter has its effect, or is rejected by name.', 'chat.completions.create/param.*'),
  tested('CHAT-3', 'Messages of each role and content part are accepted.', 'chat.completions.create/messages.*'),
  tested('CHAT-14', 'No prompt breaks out of the schema of a request.', 'chat.completions.create/adversarial.*'),
  tested('CHAT-4', 'Tools are called as tool_choice says.', 'chat.completions.create/tools.*'),
  tested('CHAT-5', 'response_format decides the form of the text.', 'chat.completions.create/format.*'),
  tested('CHAT-6', 'The deltas of a stream add up to its tool calls.', 'chat.completions.create/stream.tools.*'),
  tested(
    'CHAT-13',
    'A stream goes at the pace of its client, and ends when it leaves.',
    ...['slow-reader', 'abort'].map((name) => `chat.completions.create/stream.${name}`),
  ),
  tested('CHAT-7', 'A stream is data-only events with chunks, ended by [DONE].', 'chat.completions.create/stream.*'),
  tested('CHAT-12', 'A prompt_cache_key leads to the cache of its prompt.', 'chat.completions.create/cache.*'),
  untested('CHAT-8', 'The same seed gives the same reply.', 'The specification makes no guarantee.'),
  untested('CHAT-9', 'A filtered reply has finish_reason content_filter.', 'No request is filtered by every server.'),
  untested('CHAT-10', 'service_tier decides the priority of a request.', 'A client cannot see the queue of a server.'),
  untested('CHAT-11', 'A prompt stays cached as prompt_cache_retention says.', 'It takes up to 24 hours.'),

  tested(
    'STORED-1',
    'A completion is stored with its request if, and only if, store is true.',
    ...['same', 'kept.*', 'not-stored*', 'only-stored', 'streamed'].map((name) => `chat.completions.*/${name}`),
  ),
  tested('STORED-2', 'Stored completions are filtered by metadata and model.', 'chat.completions.list/filter.*'),
  tested(
    'STORED-3',
    'Updating replaces the metadata.',
    ...['replaces', 'refilters', 'most'].map((name) => `chat.completions.update/${name}`),
  ),
  tested('STORED-4', 'A deleted completion is gone.', 'chat.completions.delete/*'),
  tested('STORED-5', 'The messages of a request are listed.', 'chat.completions.messages.list/*'),
  untested('STORED-6', 'A stored completion is kept for 30 days.', 'It takes 30 days.'),

  tested(
    'RESPONSES-1',
    'A response has its output, status and usage.',
    'responses.create/object*',
    'responses.create/input*',
  ),
  tested(
    'RESPONSES-2',
    'Each parameter has its effect, and a response repeats it.',
    ...['echo.*', 'null', 'max_output_tokens', 'logprobs', 'text*'].map((name) => `responses.create/${name}`),
  ),
  tested('RESPONSES-3', 'Tools are called as tool_choice says.', 'responses.create/tools.*'),
  tested('RESPONSES-4', 'text.format decides the form of the text.', 'responses.create/format.*'),
  tested('RESPONSES-13', 'No prompt breaks out of the schema of a request.', 'responses.create/adversarial.*'),
  tested('RESPONSES-5', 'A stream is typed events in their order.', 'responses.create/stream.*'),
  tested(
    'RESPONSES-6',
    'A response continues an earlier one.',
    'responses.create/continues*',
    'responses.create/reference',
  ),
  tested(
    'RESPONSES-7',
    'A stored response can be retrieved and deleted.',
    'responses.retrieve/*',
    'responses.delete/*',
  ),
  tested(
    'RESPONSES-8',
    'A background response runs alone and can be cancelled.',
    'responses.create/background',
    'responses.cancel/*',
  ),
  tested('RESPONSES-9', 'The items of the input are listed.', 'responses.input_items.list/*'),
  tested('RESPONSES-10', 'Input tokens are counted without a response.', 'responses.input_tokens.count/*'),
  tested('RESPONSES-11', 'A compacted input can be continued.', 'responses.compact/*'),
  untested('RESPONSES-12', 'encrypted_content cannot be read by others.', 'Only the server can decrypt it.'),

  tested(
    'CONVERSATIONS-1',
    'A conversation keeps its metadata until it is deleted.',
    ...['retrieve', 'update', 'delete'].map((name) => `conversations.${name}/*`),
  ),
  tested('CONVERSATIONS-2', 'Items are added, listed, retrieved and deleted.', 'conversations.items.*'),
  tested(
    'CONVERSATIONS-3',
    'A response adds its input and output to its conversation.',
    'responses.create/conversation',
  ),

  tested('COMPLETIONS-1', 'Each prompt gives n texts within its limits.', 'completions.create/*'),
  tested('EMBEDDINGS-1', 'Each input gives an embedding in the requested form.', 'embeddings.create/*'),
  tested('MODERATIONS-1', 'Each input gives a result with every category.', 'moderations.create/*'),

  tested(
    'BATCHES-1',
    'A batch is created with its values, and listed.',
    'batches.create/*',
    'batches.list/*',
    'batches.retrieve/metadata',
  ),
  tested('BATCHES-2', 'A batch ends with an output line for each input line.', 'batches.retrieve/*'),
  tested('BATCHES-3', 'A batch that has not ended can be cancelled.', 'batches.cancel/*'),
  untested('BATCHES-4', 'A batch expires after its completion_window.', 'It takes 24 hours.'),

  tested('UPLOADS-1', 'An upload is created with its values.', 'uploads.create/*'),
  tested('UPLOADS-2', 'Parts are added while an upload is pending.', 'uploads.parts.create/*'),
  tested('UPLOADS-3', 'A completed upload is a file of its parts in order.', 'uploads.complete/*'),
  tested('UPLOADS-4', 'A pending upload can be cancelled.', 'uploads.cancel/*'),
  untested('UPLOADS-5', 'A pending upload expires after an hour.', 'It takes an hour.'),

  tested(
    'FILES-1',
    'A file has its name, purpose, size and content.',
    'files.create/*',
    'files.retrieve/*',
    'files.content/*',
  ),
  tested('FILES-2', 'Files are listed by purpose.', 'files.list/*'),
  tested('FILES-3', 'A deleted file is gone.', 'files.delete/*'),
  untested('FILES-4', 'A file is deleted after its expires_after.', 'The shortest is an hour.'),

  tested('VIDEOS-1', 'A video is created and completes.', 'videos.create/*', 'videos.retrieve/*', 'videos.list/*'),
  tested('VIDEOS-2', 'A completed video has its contents.', 'videos.content/*'),
  tested('VIDEOS-3', 'A remix is a new video.', 'videos.remix/*'),
  tested('VIDEOS-4', 'A deleted video is gone.', 'videos.delete/*'),
  tested('VIDEOS-6', 'An extension is a new video that is longer than its source.', 'videos.extend/*'),
  untested('VIDEOS-5', 'A video shows its prompt.', 'No program judges pictures reliably.'),

  tested('MODELS-1', 'The models that can be used are listed.', 'models.*'),
];
