// Types, routes and limits
export type * from './types.ts';
export * from './routes.ts';
export * from './limits.ts';

// Parsing
export { guardBody } from './parsing/body-guard.ts';
export { parseRequest, type ModelParseOptions, type Parsed, type ParseOptions } from './parsing/parse.ts';
export { parseFields, type TextFields } from './parsing/fields.ts';
export { problem, problemOf, unknownParameter } from './parsing/problem.ts';
export { lenient } from './parsing/lenient.ts';
export { requestJsonSchema } from './parsing/request-json-schema.ts';

// The contract
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

// Chat
export { parseChatCompletionCreate } from './chat/parse.ts';
export type { ChatRule } from './chat/rule.ts';
export { chatRules, firstBrokenRule } from './chat/rules.ts';
export { chatCompletionCreateParamsSchema } from './chat/create.ts';
export { formatGrammar, grammarProblem, noParameters, toolGrammar } from './chat/request-grammars.ts';
export type { GrammarFault, GrammarSource, RequestGrammar } from './chat/request-grammars.ts';
export { usageSchema } from './chat/completion.ts';
export { chatCompletionUpdateParamsSchema } from './chat/stored.ts';

// Responses
export { parseResponseCompact, parseResponseCreate } from './responses/parse.ts';
export { responseSchema, responseUsageSchema } from './responses/response.ts';
export { responseStreamEventSchema } from './responses/events.ts';
export { responseInputTokensParamsSchema } from './responses/input-tokens.ts';
export { responseCompactParamsSchema } from './responses/compact.ts';

// Conversations
export {
  conversationCreateParamsSchema,
  conversationItemsCreateParamsSchema,
  conversationUpdateParamsSchema,
} from './conversations/requests.ts';

// Legacy completions
export { textCompletionCreateParamsSchema } from './text-completions.ts';

// Embeddings
export { embeddingCreateParamsSchema } from './embeddings.ts';

// Batches
export { BATCH_MAX_WINDOW_SECONDS, completionWindowSeconds } from './batches/completion-window.ts';

// Moderation
export { moderationCreateParamsSchema, moderationSchema } from './moderations.ts';

// Batches
export { batchCreateParamsSchema } from './batches/requests.ts';
export { batchInputLineSchema, batchOutputLineSchema } from './batches/lines.ts';

// Uploads and files
export { uploadCreateParamsSchema, uploadPartFieldsSchema, uploadCompleteParamsSchema } from './uploads/requests.ts';
export { fileCreateFieldsSchema } from './files/requests.ts';

// Videos
export { videoCreateFieldsSchema, videoRemixParamsSchema } from './videos/requests.ts';

// Administration
export * from './organization/project.ts';
export { projectIdSchema } from './organization/project-id.ts';
export * from './organization/api-key.ts';
export * from './organization/budget.ts';
export * from './organization/webhook.ts';
export { auditLogListSchema, auditLogQuerySchema, auditLogSchema } from './organization/audit-log.ts';
export { costsPageSchema, costsQuerySchema, costsResultSchema } from './organization/costs.ts';

// Models, errors, metadata, lists
export { errorBodySchema } from './errors.ts';
export { formatPath } from './parsing/path.ts';
export { isDataUrl, parseDataUrl } from './data-url/data-url.ts';
export type { DataUrl } from './data-url/data-url.ts';
export { isImageDataUrl } from './data-url/inline-data.ts';
