// The limits of the API (API: Limits), and those of this server that the API does not specify, marked "Own limit".

export const METADATA_MAX_PAIRS = 16;
export const METADATA_KEY_MAX_LENGTH = 64;
export const METADATA_VALUE_MAX_LENGTH = 512;

/** Functions, custom tools and response formats. */
export const NAME_MAX_LENGTH = 64;
export const STOP_MAX_SEQUENCES = 4;
/** Of a message request. */
export const MESSAGE_STOP_MAX_SEQUENCES = 64;
/** Own limit: characters of a stop sequence. */
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
/** Own limit. */
export const N_MAX = 128;

export const UPLOAD_PART_MAX_BYTES = 64 * 1024 ** 2;
export const UPLOAD_MAX_BYTES = 8 * 1024 ** 3;
/** Own limit: 8 GB in parts of less than a megabyte. */
export const UPLOAD_MAX_PARTS = 10_000;
/** Own limit. */
export const FILENAME_MAX_LENGTH = 1024;
/** Own limit. */
export const MEDIA_TYPE_MAX_LENGTH = 255;
/** Maximum duration of the status `cancelling`. */
export const BATCH_CANCEL_MAX_SECONDS = 600;
export const BATCH_MAX_LINES = 50_000;
export const BATCH_INPUT_MAX_BYTES = 200 * 1024 ** 2;
/** Own limit: characters of the `custom_id` of a line. */
export const CUSTOM_ID_MAX_LENGTH = 512;
/** Own limit: lines of a dataset. */
export const DATASET_ITEMS_MAX = 1_000_000;
/** Own limit, in characters. */
export const DATASET_NAME_MAX_LENGTH = 128;
/** Own limit: batches of one side of a comparison. A dataset of the largest size has as many files of requests. */
export const COMPARISON_BATCHES_MAX = 100;
/** Own limit. */
export const COMPARISON_SCORERS_MAX = 8;
/** Own limit, in characters: criteria of a judge, or an expression. */
export const JUDGE_CRITERIA_MAX_LENGTH = 16_384;
/** `expires_after.seconds`: an hour to 30 days, as with the hosted service. */
export const EXPIRES_AFTER_MIN_SECONDS = 3600;
export const EXPIRES_AFTER_MAX_SECONDS = 2_592_000;
/** Own limit. */
export const FILE_MAX_BYTES = 512 * 1024 ** 2;
/** Own limit: size of a file that a message references, which is read into memory. */
export const FILE_INPUT_MAX_BYTES = 32 * 1024 ** 2;

/** Own limit, in characters. */
export const VIDEO_PROMPT_MAX_LENGTH = 32_000;
/** Own limit: size of the reference image of a video. */
export const VIDEO_REFERENCE_MAX_BYTES = 20 * 1024 ** 2;

export const PAGE_LIMIT_DEFAULT = 20;
/** Own limit. */
export const PAGE_LIMIT_MAX = 100;
export const MESSAGE_BATCHES_PAGE_LIMIT_MAX = 1000;
export const FILES_PAGE_LIMIT_MAX = 10_000;

/** Own limit: nesting depth of a JSON body. Recursive functions, such as `JSON.stringify`, overflow the stack at some thousands. */
export const BODY_MAX_DEPTH = 256;
/** Own limit: fields of one JSON object. A map with a million invalid keys took zod ten seconds. */
export const BODY_MAX_FIELDS = 10_000;

/** Own limit: messages of a conversation. Parsing 10,000 took 50 ms. */
export const MESSAGES_MAX = 10_000;
/** Own limit: content parts, or annotations, of one message. */
export const CONTENT_PARTS_MAX = 10_000;
/** Own limit: tools or functions of a request, and calls of one message. Parsing 1,000 tools took 50 ms. */
export const TOOLS_MAX = 1024;
/** `max_output_tokens` of a response, as with the hosted service. */
export const RESPONSE_OUTPUT_TOKENS_MIN = 16;
/** Items that one request adds to a conversation. */
export const CONVERSATION_ITEMS_MAX = 20;
/** Own limit: values of `include`. */
export const RESPONSE_INCLUDES_MAX = 64;
/** `safety_identifier` of a response. */
export const SAFETY_IDENTIFIER_MAX_LENGTH = 64;
/** Own limit: texts or parts of a moderation request. */
export const MODERATION_INPUTS_MAX = 2048;
/** Own limit, configurable: images of a moderation request. Each takes up to a second of CPU time. */
export const MODERATION_IMAGES_MAX = 16;
/** Own limit: prompts of a legacy completion request. */
export const PROMPTS_MAX = 128;
/** Own limit: characters of all prompts of a legacy completion request. */
export const PROMPT_MAX_LENGTH = 10_485_760;
/** Own limit: token IDs of all prompts of a legacy completion request. */
export const PROMPT_MAX_TOKENS = 300_000;
export const TEXT_COMPLETION_LOGPROBS_MAX = 5;
/** Inputs of an embeddings request. */
export const EMBEDDING_INPUTS_MAX = 2048;
/** Token IDs of all inputs of an embeddings request. */
export const EMBEDDING_MAX_TOKENS = 300_000;
/** Own limit: token IDs of one input. */
export const EMBEDDING_INPUT_MAX_TOKENS = 32_768;
/** Own limit: characters of one input. */
export const EMBEDDING_INPUT_MAX_LENGTH = 262_144;
/** Own limit: characters of all inputs. */
export const EMBEDDING_MAX_LENGTH = 2_000_000;
/** Own limit: length of an embedding. */
export const EMBEDDING_DIMENSIONS_MAX = 65_536;
/** Own limit: characters of a search. */
export const SEARCH_MAX = 1000;
/** Own limit: values of one filter of a query. */
export const FILTER_VALUES_MAX = 1000;

/** Own limit: JSON Schemas, including subschemas, of all tools and the response format of a request. */
export const JSON_SCHEMA_MAX_SCHEMAS = 50_000;
/** Own limit: schemas that apply to one value when `$ref`, `allOf`, `anyOf` and `oneOf` are resolved. */
export const JSON_SCHEMA_MAX_EXPANSION = 10_000;
