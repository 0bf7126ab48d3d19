// All schemas, for the generated types and for tests (`@modelwire/schema/testing`, which is not published). Users reach them through the contract.
export * from './chat/create.ts';
export { webSearchOptionsSchema } from './chat/web-search.ts';
export * from './chat/content-parts.ts';
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
export * from './chat/tools.ts';
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
export * from './chat/chunk.ts';
export * from './chat/stored.ts';
export { responseCreateParamsSchema } from './responses/create.ts';
export { responseHostedItemSchema, responseHostedOutputItemSchema } from './responses/hosted-items.ts';
export { responseInputItemSchema } from './responses/input-items.ts';
export { responseOutputItemSchema } from './responses/output-items.ts';
export {
  responseCustomChoiceSchema,
  responseFunctionChoiceSchema,
  responseHostedChoiceSchema,
  responseTextFormatSchema,
  responseToolChoiceSchema,
  responseToolSchema,
} from './responses/tools.ts';
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
export {
  messageCreateParamsSchema,
  messageCountTokensParamsSchema,
  messageTokensCountSchema,
} from './messages/create.ts';
export {
  messageAssistantBlockSchema,
  messageDocumentBlockSchema,
  messageImageBlockSchema,
  messageOtherBlockSchema,
  messageUserBlockSchema,
} from './messages/content.ts';
export * from './messages/message.ts';
export * from './messages/batch.ts';
export * from './conversations/requests.ts';
export { conversationSchema, conversationDeletedSchema } from './conversations/conversation.ts';
export * from './text-completions.ts';
export { embeddingCreateParamsSchema, embeddingSchema, embeddingListSchema } from './embeddings.ts';
export * from './moderations.ts';
export { batchEndpointSchema, batchCreateParamsSchema, batchListQuerySchema } from './batches/requests.ts';
export * from './batches/batch.ts';
export { batchInputLineSchema, batchOutputLineSchema } from './batches/lines.ts';
export * from './datasets/requests.ts';
export * from './datasets/dataset.ts';
export * from './datasets/comparison.ts';
export * from './datasets/rerun.ts';
export { uploadCreateParamsSchema, uploadPartFieldsSchema, uploadCompleteParamsSchema } from './uploads/requests.ts';
export { uploadSchema, uploadPartSchema } from './uploads/upload.ts';
export { filePurposeSchema, fileCreateFieldsSchema, fileListQuerySchema } from './files/requests.ts';
export { fileSchema, fileListSchema, fileDeletedSchema } from './files/file.ts';
export { expiresAfterSchema } from './fields/expires-after.ts';
export * from './videos/requests.ts';
export { videoSchema, videoListSchema, videoDeletedSchema } from './videos/video.ts';
export { usagePageSchema, usageQuerySchema, usageResultSchema } from './organization/usage.ts';
export { modelSchema, modelListSchema, modelCapabilitiesSchema, modelRuntimeSchema } from './models.ts';
export { errorBodySchema } from './errors.ts';
export { metadataSchema } from './fields/metadata.ts';
export { imageUrlSchema } from './fields/image-url.ts';
export * from './organization/project.ts';
export * from './organization/api-key.ts';
export * from './organization/budget.ts';
export * from './organization/webhook.ts';
export {
  loggedRequestListSchema,
  loggedRequestListQuerySchema,
  loggedRequestSchema,
} from './organization/request-log.ts';
export { auditLogListSchema, auditLogQuerySchema, auditLogSchema } from './organization/audit-log.ts';
export { costsPageSchema, costsQuerySchema, costsResultSchema } from './organization/costs.ts';
