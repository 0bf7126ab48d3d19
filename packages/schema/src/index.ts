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
export { problem, problemOf, unknownParameter } from './parsing/problem.ts';
export { guardBody } from './parsing/body-guard.ts';
export { lenient } from './parsing/lenient.ts';
export { formatPath } from './parsing/path.ts';
export { BATCH_MAX_WINDOW_SECONDS, completionWindowSeconds } from './batches/completion-window.ts';
export { requestJsonSchema } from './parsing/request-json-schema.ts';

// Rules and grammars of chat requests
export { firstBrokenRule } from './chat/rules.ts';
export { formatGrammar, grammarProblem, toolGrammar } from './chat/request-grammars.ts';
export type { GrammarFault, GrammarSource, RequestGrammar } from './chat/request-grammars.ts';

// Limits that servers and clients enforce themselves; the others are in the schemas
export {
  BATCH_CANCEL_MAX_SECONDS,
  BATCH_INPUT_MAX_BYTES,
  BATCH_MAX_LINES,
  BODY_MAX_DEPTH,
  BODY_MAX_FIELDS,
  DATASET_ITEMS_MAX,
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

// Schemas of parts: those of bodies are in the contract
export { batchInputLineSchema, batchOutputLineSchema } from './batches/lines.ts';
export { chatCompletionCreateParamsSchema } from './chat/create.ts';
export { usageSchema } from './chat/completion.ts';
export { datasetItemSchema, datasetSchema } from './datasets/dataset.ts';
export { errorBodySchema } from './errors.ts';
export { messageErrorSchema, messageUsageSchema } from './messages/message.ts';
export { moderationSchema } from './moderations.ts';
export { projectApiKeyUpdateParamsSchema } from './organization/api-key.ts';
export { projectIdSchema } from './organization/project.ts';
export { responseStreamEventTypes } from './responses/events.ts';
export { responseUsageSchema } from './responses/response.ts';

// Data URLs
export { isDataUrl, parseDataUrl, type DataUrl } from './data-url/data-url.ts';
