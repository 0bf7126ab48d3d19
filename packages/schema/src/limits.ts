// Every number that the interface promises, by name (interface: Limits), and those we chose where it is silent.

export const METADATA_MAX_PAIRS = 16;
export const METADATA_KEY_MAX_LENGTH = 64;
export const METADATA_VALUE_MAX_LENGTH = 512;

/** Functions, custom tools and response formats. */
export const NAME_MAX_LENGTH = 64;
export const STOP_MAX_SEQUENCES = 4;
/** Ours: characters of a stop sequence. */
export const STOP_MAX_LENGTH = 2048;
export const TOP_LOGPROBS_MAX = 20;
export const LOGIT_BIAS_MIN = -100;
export const LOGIT_BIAS_MAX = 100;
export const PENALTY_MIN = -2;
export const PENALTY_MAX = 2;
export const TEMPERATURE_MIN = 0;
export const TEMPERATURE_MAX = 2;
export const TOP_P_MIN = 0;
export const TOP_P_MAX = 1;
/** Larger image inputs are dropped from stored completions. */
export const STORED_IMAGE_MAX_BYTES = 8 * 1024 ** 2;
/** Ours: the interface names no bound. */
export const N_MAX = 128;

export const UPLOAD_PART_MAX_BYTES = 64 * 1024 ** 2;
export const UPLOAD_MAX_BYTES = 8 * 1024 ** 3;
/** Ours: 8 GB in parts of less than a megabyte. */
export const UPLOAD_MAX_PARTS = 10_000;
/** Ours. */
export const FILENAME_MAX_LENGTH = 1024;
/** Ours. */
export const MEDIA_TYPE_MAX_LENGTH = 255;
/** `cancelling` lasts at most this long. */
export const BATCH_CANCEL_MAX_SECONDS = 600;
export const BATCH_MAX_LINES = 50_000;
export const BATCH_INPUT_MAX_BYTES = 200 * 1024 ** 2;
/** Ours: characters of a line's `custom_id`. */
export const CUSTOM_ID_MAX_LENGTH = 512;
/** `expires_after.seconds`: an hour to 30 days, as the hosted service has it. */
export const EXPIRES_AFTER_MIN_SECONDS = 3600;
export const EXPIRES_AFTER_MAX_SECONDS = 2_592_000;
/** Ours. */
export const FILE_MAX_BYTES = 512 * 1024 ** 2;
/** Of a file that a message names: ours, it is read into memory. */
export const FILE_INPUT_MAX_BYTES = 32 * 1024 ** 2;

/** Ours, in characters. */
export const VIDEO_PROMPT_MAX_LENGTH = 32_000;
/** Ours: an image to start a video from. */
export const VIDEO_REFERENCE_MAX_BYTES = 20 * 1024 ** 2;

export const PAGE_LIMIT_DEFAULT = 20;
/** Ours: the interface names no bound. */
export const PAGE_LIMIT_MAX = 100;
export const FILES_PAGE_LIMIT_MAX = 10_000;

/** Ours: how deep a JSON body may nest. A walk by recursion, which `JSON.stringify` is, dies at some thousands. */
export const BODY_MAX_DEPTH = 256;
/** Ours: fields of one JSON object. A map of a million wrong keys took zod ten seconds. */
export const BODY_MAX_FIELDS = 10_000;

/** Ours: messages of a conversation. Parsing 10,000 took 50 ms. */
export const MESSAGES_MAX = 10_000;
/** Ours: content parts, or annotations, of one message. */
export const CONTENT_PARTS_MAX = 10_000;
/** Ours: tools or functions of a request, and calls of one message. Parsing 1,000 tools took 50 ms. */
export const TOOLS_MAX = 1024;
/** `max_output_tokens` of a response, as the hosted service has it. */
export const RESPONSE_OUTPUT_TOKENS_MIN = 16;
/** Items that one request adds to a conversation. */
export const CONVERSATION_ITEMS_MAX = 20;
/** Ours: values of `include`. */
export const RESPONSE_INCLUDES_MAX = 64;
/** `safety_identifier` of a response. */
export const SAFETY_IDENTIFIER_MAX_LENGTH = 64;
/** Ours: texts or parts of a moderation request. */
export const MODERATION_INPUTS_MAX = 2048;
/** Ours: images of a moderation request, unless the server is configured otherwise. Each takes up to a second of CPU. */
export const MODERATION_IMAGES_MAX = 16;
/** Ours: prompts of a legacy completion request. */
export const PROMPTS_MAX = 128;
/** Ours: characters of all prompts of a legacy completion request. */
export const PROMPT_MAX_LENGTH = 10_485_760;
/** Ours: token ids of all prompts of a legacy completion request. */
export const PROMPT_MAX_TOKENS = 300_000;
export const TEXT_COMPLETION_LOGPROBS_MAX = 5;
/** Inputs of an embeddings request. */
export const EMBEDDING_INPUTS_MAX = 2048;
/** Token IDs of all inputs of an embeddings request. */
export const EMBEDDING_MAX_TOKENS = 300_000;
/** Ours: token ids of one input. */
export const EMBEDDING_INPUT_MAX_TOKENS = 32_768;
/** Ours: characters of one input. */
export const EMBEDDING_INPUT_MAX_LENGTH = 262_144;
/** Ours: characters of all inputs. */
export const EMBEDDING_MAX_LENGTH = 2_000_000;
/** Ours: length of an embedding. */
export const EMBEDDING_DIMENSIONS_MAX = 65_536;
/** Ours: values of one filter of a query. */
export const FILTER_VALUES_MAX = 1000;

/** Ours: JSON Schemas, the subschemas included, of all tools and the response format of a request. */
export const JSON_SCHEMA_MAX_SCHEMAS = 50_000;
/** Ours: schemas that apply to one value when `$ref`, `allOf`, `anyOf` and `oneOf` are followed. */
export const JSON_SCHEMA_MAX_EXPANSION = 10_000;
