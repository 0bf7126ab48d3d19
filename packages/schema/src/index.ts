// Types, routes and limits
export type * from './types.ts';
export * from './routes.ts';
export * from './limits.ts';

// Parsing
export { guardBody } from './body-guard.ts';
export { parseRequest, type Parsed, type ParseOptions } from './parse.ts';
export { parseFields, type TextFields } from './fields.ts';
export { problem, problemOf } from './problem.ts';
export { lenient } from './lenient.ts';
export { requestJsonSchema } from './request-json-schema.ts';

// The contract
export { contract, type Contract, type EndpointId } from './contract.ts';
export type {
  FileField,
  RequestBody,
  RequestExamples,
  ResponseBody,
  EndpointError,
  Endpoint,
} from './contract/endpoint.ts';

// Chat
export { parseChatCompletionCreate } from './chat/parse.ts';
export type { ChatRule } from './chat/rule.ts';
export { chatRules, firstBrokenRule } from './chat/rules.ts';
export {
  audioParamSchema,
  predictionSchema,
  streamOptionsSchema,
  logitBiasSchema,
  chatCompletionCreateParamsSchema,
} from './chat/create.ts';
export { webSearchOptionsSchema } from './chat/web-search.ts';
export {
  textPartSchema,
  imagePartSchema,
  inputAudioPartSchema,
  filePartSchema,
  refusalPartSchema,
  contentPartSchema,
  assistantContentPartSchema,
  textContentSchema,
} from './chat/content-parts.ts';
export {
  developerMessageSchema,
  systemMessageSchema,
  userMessageSchema,
  annotationSchema,
  assistantMessageSchema,
  toolMessageSchema,
  functionMessageSchema,
  messageParamSchema,
} from './chat/messages.ts';
export {
  nameSchema,
  functionDefinitionSchema,
  functionToolSchema,
  customToolFormatSchema,
  customToolSchema,
  chatToolSchema,
  toolChoiceSchema,
  functionCallChoiceSchema,
  functionCallSchema,
  toolCallParamSchema,
  toolCallSchema,
  responseFormatSchema,
} from './chat/tools.ts';
export {
  finishReasonSchema,
  servedTierSchema,
  topLogprobSchema,
  tokenLogprobSchema,
  choiceLogprobsSchema,
  audioSchema,
  chatMessageSchema,
  chatChoiceSchema,
  usageSchema,
  chatCompletionSchema,
} from './chat/completion.ts';
export {
  roleSchema,
  deltaToolCallSchema,
  deltaSchema,
  chunkChoiceSchema,
  chatCompletionChunkSchema,
} from './chat/chunk.ts';
export {
  storedChatCompletionSchema,
  chatCompletionUpdateParamsSchema,
  chatCompletionListQuerySchema,
  chatMessageListQuerySchema,
  chatCompletionListSchema,
  storedMessageSchema,
  chatMessageListSchema,
  chatCompletionDeletedSchema,
} from './chat/stored.ts';

// Responses
export { parseResponseCreate, type ResponseParseOptions } from './responses/parse.ts';
export { responseCreateParamsSchema } from './responses/create.ts';
export { responseInputItemSchema } from './responses/input-items.ts';
export { responseOutputItemSchema } from './responses/output-items.ts';
export { responseTextFormatSchema, responseToolChoiceSchema, responseToolSchema } from './responses/tools.ts';
export { responseSchema, responseUsageSchema } from './responses/response.ts';
export { responseStreamEventSchema } from './responses/events.ts';
export {
  responseRetrieveQuerySchema,
  responseItemListQuerySchema,
  responseItemListSchema,
  responseDeletedSchema,
} from './responses/stored.ts';
export { responseInputTokensParamsSchema, responseInputTokensSchema } from './responses/input-tokens.ts';
export { responseCompactParamsSchema, compactedResponseSchema } from './responses/compact.ts';

// Conversations
export {
  conversationCreateParamsSchema,
  conversationItemsCreateParamsSchema,
  conversationUpdateParamsSchema,
  conversationItemQuerySchema,
} from './conversations/requests.ts';
export { conversationSchema, conversationDeletedSchema } from './conversations/conversation.ts';

// Legacy completions
export {
  textCompletionCreateParamsSchema,
  textCompletionLogprobsSchema,
  textCompletionChoiceSchema,
  textCompletionSchema,
} from './text-completions.ts';

// Embeddings
export { embeddingCreateParamsSchema, embeddingSchema, embeddingListSchema } from './embeddings.ts';

// Moderation
export {
  moderationTextInputSchema,
  moderationImageInputSchema,
  moderationCreateParamsSchema,
  moderationSchema,
} from './moderations.ts';

// Batches
export { batchEndpointSchema, batchCreateParamsSchema, batchListQuerySchema } from './batches/requests.ts';
export { batchUsageSchema, batchErrorSchema, batchSchema, batchListSchema } from './batches/batch.ts';
export { batchInputLineSchema, batchOutputLineSchema } from './batches/lines.ts';

// Uploads and files
export { uploadCreateParamsSchema, uploadPartFieldsSchema, uploadCompleteParamsSchema } from './uploads/requests.ts';
export { uploadSchema, uploadPartSchema } from './uploads/upload.ts';
export { filePurposeSchema, fileCreateFieldsSchema, fileListQuerySchema } from './files/requests.ts';
export { fileSchema, fileListSchema, fileDeletedSchema } from './files/file.ts';
export { expiresAfterSchema } from './expires-after.ts';

// Videos
export {
  videoInputReferenceSchema,
  videoCreateFieldsSchema,
  videoRemixParamsSchema,
  videoListQuerySchema,
  videoContentQuerySchema,
} from './videos/requests.ts';
export { videoSchema, videoListSchema, videoDeletedSchema } from './videos/video.ts';

// Usage
export { usagePageSchema, usageQuerySchema, usageResultSchema } from './usage.ts';

// Administration
export {
  projectCreateParamsSchema,
  projectListQuerySchema,
  projectListSchema,
  projectSchema,
  projectUpdateParamsSchema,
} from './organization/project.ts';
export {
  projectApiKeyCreateParamsSchema,
  projectApiKeyDeletedSchema,
  projectApiKeyListQuerySchema,
  projectApiKeyListSchema,
  projectApiKeyRotateParamsSchema,
  projectApiKeySchema,
  projectApiKeyUpdateParamsSchema,
  projectApiKeyWithValueSchema,
} from './organization/api-key.ts';
export {
  budgetCreateParamsSchema,
  budgetDeletedSchema,
  budgetListQuerySchema,
  budgetListSchema,
  budgetSchema,
  budgetUpdateParamsSchema,
} from './organization/budget.ts';
export { auditLogListSchema, auditLogQuerySchema, auditLogSchema } from './organization/audit-log.ts';
export { costsPageSchema, costsQuerySchema, costsResultSchema } from './organization/costs.ts';

// Models, errors, metadata, lists
export { modelSchema, modelListSchema, modelCapabilitiesSchema } from './models.ts';
export { errorBodySchema } from './errors.ts';
export { metadataSchema } from './metadata.ts';
export { imageUrlSchema } from './image-url.ts';
export { isImageDataUrl } from './base64.ts';
export { listOf } from './paging.ts';
