// The contract: each endpoint with its schemas
export { contract, type Contract, type EndpointId } from './contract.ts';
export type {
  Endpoint,
  EndpointAccess,
  EndpointNeed,
  FileField,
  FormBody,
  JsonBody,
  RequestBody,
  RequestExamples,
  ResponseBody,
  StreamedForm,
} from './contract/endpoint.ts';
export type { EndpointError } from './contract/errors.ts';

// Parsing
export { parseChatCompletionCreate } from './chat/parse.ts';
export { parseResponseCreate } from './responses/parse.ts';
export { parseRequest, type ModelParseOptions, type Parsed, type ParseOptions } from './parsing/parse.ts';
export { parseFields, type TextFields } from './parsing/fields.ts';
export { problem, problemOf } from './parsing/problem.ts';

// Limits that servers and clients enforce themselves; the others are in the schemas
export {
  BATCH_CANCEL_MAX_SECONDS,
  BATCH_INPUT_MAX_BYTES,
  BATCH_MAX_LINES,
  BODY_MAX_DEPTH,
  BODY_MAX_FIELDS,
  DATASET_ITEMS_MAX,
  DATASET_NAME_MAX_LENGTH,
  EXPIRES_AFTER_MAX_SECONDS,
  FILENAME_MAX_LENGTH,
  FILE_INPUT_MAX_BYTES,
  FILE_MAX_BYTES,
  MEDIA_TYPE_MAX_LENGTH,
  METADATA_MAX_PAIRS,
  MODERATION_IMAGES_MAX,
  NAME_MAX_LENGTH,
  PAGE_LIMIT_DEFAULT,
  SAFETY_IDENTIFIER_MAX_LENGTH,
  STORED_IMAGE_MAX_BYTES,
  UPLOAD_MAX_BYTES,
  UPLOAD_MAX_PARTS,
  UPLOAD_PART_MAX_BYTES,
  VIDEO_REFERENCE_MAX_BYTES,
} from './limits.ts';
