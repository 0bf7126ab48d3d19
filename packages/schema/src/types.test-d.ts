import { expectTypeOf } from 'vitest';
import type * as z from 'zod';
import type * as schemas from './schemas.ts';
import type * as types from './types.ts';

/** The named fields of a type, without the index signature that a loose object adds. */
type Named<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };
/** A type without `readonly` and without unknown fields, at every depth, so that equivalent types are equal. */
type Shape<T> = T extends string | number | boolean | null | undefined | Blob
  ? T
  : T extends readonly (infer Item)[]
    ? Shape<Item>[]
    : keyof Named<T> extends never
      ? { -readonly [Key in keyof T]: Shape<T[Key]> }
      : { -readonly [Key in keyof Named<T>]: Shape<Named<T>[Key]> };

type SchemaNames = {
  [Name in keyof typeof schemas]: (typeof schemas)[Name] extends z.ZodType ? Name : never;
}[keyof typeof schemas];
type Parsed<Name extends SchemaNames> = (typeof schemas)[Name] extends z.ZodType
  ? Shape<z.output<(typeof schemas)[Name]>>
  : never;

/** Each schema of the package with its handwritten type. A missing schema is a compile error. */
interface Written {
  audioParamSchema: types.ChatCompletionAudioParam;
  predictionSchema: types.ChatCompletionPrediction;
  streamOptionsSchema: types.ChatCompletionStreamOptions;
  logitBiasSchema: Record<string, number>;
  chatCompletionCreateParamsSchema: types.ChatCompletionCreateParamsBase;
  webSearchOptionsSchema: types.WebSearchOptions;
  textPartSchema: types.ChatCompletionContentPartText;
  imagePartSchema: types.ChatCompletionContentPartImage;
  inputAudioPartSchema: types.ChatCompletionContentPartInputAudio;
  filePartSchema: types.ChatCompletionContentPartFile;
  refusalPartSchema: types.ChatCompletionContentPartRefusal;
  contentPartSchema: types.ChatCompletionContentPart;
  assistantContentPartSchema: types.ChatCompletionAssistantContentPart;
  textContentSchema: types.ChatCompletionSystemMessageParam['content'];
  developerMessageSchema: types.ChatCompletionDeveloperMessageParam;
  systemMessageSchema: types.ChatCompletionSystemMessageParam;
  userMessageSchema: types.ChatCompletionUserMessageParam;
  annotationSchema: types.UrlCitationAnnotation;
  assistantMessageSchema: types.ChatCompletionAssistantMessageParam;
  toolMessageSchema: types.ChatCompletionToolMessageParam;
  functionMessageSchema: types.ChatCompletionFunctionMessageParam;
  messageParamSchema: types.ChatCompletionMessageParam;
  nameSchema: string;
  functionDefinitionSchema: types.FunctionDefinition;
  functionToolSchema: types.ChatCompletionFunctionTool;
  customToolFormatSchema: types.CustomToolFormat;
  customToolSchema: types.ChatCompletionCustomTool;
  chatToolSchema: types.ChatCompletionTool;
  namedFunctionToolChoiceSchema: types.NamedFunctionToolChoice;
  namedCustomToolChoiceSchema: types.NamedCustomToolChoice;
  toolChoiceSchema: types.ToolChoice;
  functionCallChoiceSchema: types.FunctionCallChoice;
  functionCallSchema: types.FunctionCall;
  toolCallParamSchema: types.ChatCompletionToolCall;
  toolCallSchema: types.ChatCompletionToolCall;
  responseFormatSchema: types.ResponseFormat;
  finishReasonSchema: types.Open<types.FinishReason>;
  servedTierSchema: types.Open<types.ServiceTier>;
  topLogprobSchema: types.TopLogprob;
  tokenLogprobSchema: types.TokenLogprob;
  choiceLogprobsSchema: types.ChoiceLogprobs;
  audioSchema: types.ChatCompletionAudio;
  chatMessageSchema: types.ChatCompletionMessage;
  chatChoiceSchema: types.ChatCompletionChoice;
  usageSchema: types.CompletionUsage;
  chatCompletionSchema: types.ChatCompletion;
  roleSchema: types.Open<types.ChatCompletionRole>;
  deltaToolCallSchema: types.ChatCompletionDeltaToolCall;
  deltaSchema: types.ChatCompletionDelta;
  chunkChoiceSchema: types.ChatCompletionChunkChoice;
  chatCompletionChunkSchema: types.ChatCompletionChunk;
  storedChatCompletionSchema: types.StoredChatCompletion;
  chatCompletionUpdateParamsSchema: types.ChatCompletionUpdateParams;
  chatCompletionListQuerySchema: types.ChatCompletionListParams;
  chatCompletionRetrieveQuerySchema: types.ChatCompletionRetrieveParams;
  chatMessageListQuerySchema: types.ChatCompletionMessageListParams;
  chatCompletionListSchema: types.ChatCompletionList;
  storedMessageSchema: types.ChatCompletionStoredMessage;
  chatMessageListSchema: types.ChatCompletionMessageList;
  chatCompletionDeletedSchema: types.ChatCompletionDeleted;
  responseCreateParamsSchema: types.ResponseCreateParamsBase;
  responseHostedItemSchema: types.ResponseHostedItem;
  responseHostedOutputItemSchema: types.ResponseHostedOutputItem;
  responseInputItemSchema: types.ResponseInputItem;
  responseOutputItemSchema: types.ResponseOutputItem;
  responseTextFormatSchema: types.ResponseTextFormat;
  responseFunctionChoiceSchema: types.ResponseFunctionChoice;
  responseCustomChoiceSchema: types.ResponseCustomChoice;
  responseHostedChoiceSchema: types.ResponseHostedChoice;
  responseToolChoiceSchema: types.ResponseToolChoice;
  responseToolSchema: types.ResponseTool;
  responseSchema: types.ResponseObject;
  responseUsageSchema: types.ResponseUsage;
  responseStreamEventSchema: types.ResponseStreamEvent;
  responseInputTokensParamsSchema: types.ResponseInputTokensParams;
  responseCompactParamsSchema: types.ResponseCompactParams;
  conversationCreateParamsSchema: types.ConversationCreateParams;
  conversationItemsCreateParamsSchema: types.ConversationItemsCreateParams;
  conversationUpdateParamsSchema: types.ConversationUpdateParams;
  conversationSchema: types.Conversation;
  conversationDeletedSchema: types.ConversationDeleted;
  conversationItemQuerySchema: types.ConversationItemParams;
  responseRetrieveQuerySchema: types.ResponseRetrieveParams;
  responseItemListQuerySchema: types.ResponseItemListParams;
  responseDeletedSchema: types.ResponseDeleted;
  responseInputTokensSchema: types.ResponseInputTokens;
  textCompletionCreateParamsSchema: types.TextCompletionCreateParamsBase;
  textCompletionLogprobsSchema: types.TextCompletionLogprobs;
  textCompletionChoiceSchema: types.TextCompletionChoice;
  textCompletionSchema: types.TextCompletion;
  embeddingCreateParamsSchema: types.EmbeddingCreateParams;
  embeddingSchema: types.Embedding;
  embeddingListSchema: types.EmbeddingList;
  moderationTextInputSchema: types.ModerationTextInput;
  moderationImageInputSchema: types.ModerationImageInput;
  moderationCreateParamsSchema: types.ModerationCreateParams;
  moderationSchema: types.Moderation;
  batchEndpointSchema: types.BatchEndpoint;
  batchCreateParamsSchema: types.BatchCreateParams;
  batchListQuerySchema: types.BatchListParams;
  batchUsageSchema: types.BatchUsage;
  batchErrorSchema: types.BatchError;
  batchWaitingForSchema: types.BatchWaitingFor;
  batchSchema: types.Batch;
  batchListSchema: types.BatchList;
  batchInputLineSchema: types.BatchInputLine;
  batchOutputLineSchema: types.BatchOutputLine;
  uploadCreateParamsSchema: types.UploadCreateParams;
  uploadPartFieldsSchema: Record<string, never>;
  uploadCompleteParamsSchema: types.UploadCompleteParams;
  uploadSchema: types.Upload;
  uploadPartSchema: types.UploadPart;
  filePurposeSchema: types.FilePurpose;
  fileCreateFieldsSchema: types.FileCreateFields;
  fileListQuerySchema: types.FileListParams;
  fileSchema: types.FileObject;
  fileListSchema: types.FileObjectList;
  fileDeletedSchema: types.FileDeleted;
  expiresAfterSchema: types.ExpiresAfter;
  videoInputReferenceSchema: types.VideoInputReference;
  videoCreateFieldsSchema: types.VideoCreateFields;
  videoRemixParamsSchema: types.VideoRemixParams;
  videoListQuerySchema: types.VideoListParams;
  videoContentQuerySchema: types.VideoContentParams;
  videoSchema: types.Video;
  videoListSchema: types.VideoList;
  videoDeletedSchema: types.VideoDeleted;
  usageQuerySchema: types.UsageParams;
  usageResultSchema: types.UsageResult;
  usagePageSchema: types.UsagePage;
  projectSchema: types.Project;
  projectListSchema: types.ProjectList;
  projectListQuerySchema: types.ProjectListParams;
  projectCreateParamsSchema: types.ProjectCreateParams;
  projectUpdateParamsSchema: types.ProjectUpdateParams;
  projectApiKeySchema: types.ProjectApiKey;
  projectApiKeyWithValueSchema: types.ProjectApiKeyWithValue;
  projectApiKeyListSchema: types.ProjectApiKeyList;
  projectApiKeyListQuerySchema: types.ProjectApiKeyListParams;
  projectApiKeyCreateParamsSchema: types.ProjectApiKeyCreateParams;
  projectApiKeyUpdateParamsSchema: types.ProjectApiKeyUpdateParams;
  projectApiKeyRotateParamsSchema: types.ProjectApiKeyRotateParams;
  projectApiKeyDeletedSchema: types.ProjectApiKeyDeleted;
  budgetSchema: types.Budget;
  budgetListSchema: types.BudgetList;
  budgetListQuerySchema: types.BudgetListParams;
  budgetCreateParamsSchema: types.BudgetCreateParams;
  budgetUpdateParamsSchema: types.BudgetUpdateParams;
  budgetDeletedSchema: types.BudgetDeleted;
  webhookEventTypeSchema: types.WebhookEventType;
  webhookSchema: types.Webhook;
  webhookWithSecretSchema: types.WebhookWithSecret;
  webhookListSchema: types.WebhookList;
  webhookListQuerySchema: types.ListParams;
  webhookCreateParamsSchema: types.WebhookCreateParams;
  webhookUpdateParamsSchema: types.WebhookUpdateParams;
  webhookRotateSecretParamsSchema: types.WebhookRotateSecretParams;
  webhookDeletedSchema: types.WebhookDeleted;
  webhookDeliverySchema: types.WebhookDelivery;
  webhookDeliveryListSchema: types.WebhookDeliveryList;
  webhookDeliveryListQuerySchema: types.WebhookDeliveryListParams;
  auditLogSchema: types.AuditLog;
  auditLogListSchema: types.AuditLogList;
  auditLogQuerySchema: types.AuditLogParams;
  costsQuerySchema: types.CostsParams;
  costsResultSchema: types.CostsResult;
  costsPageSchema: types.CostsPage;
  modelSchema: types.Model;
  modelListSchema: types.ModelList;
  modelCapabilitiesSchema: types.ModelCapabilities;
  errorBodySchema: types.ErrorBody;
  metadataSchema: types.Metadata;
  imageUrlSchema: string;
}

type AllParsed = { [Name in keyof Written]: Parsed<Name> };
type AllWritten = { [Name in keyof Written]: Shape<Written[Name]> };

// Each schema parses to exactly its hand-written type.
expectTypeOf<AllParsed>().toEqualTypeOf<AllWritten>();
expectTypeOf<keyof Written | 'responseItemListSchema' | 'compactedResponseSchema'>().toEqualTypeOf<SchemaNames>();

// Stored items have an ID in their types, which their schemas do not require.
expectTypeOf<Shape<types.ResponseItemList>>().toExtend<Parsed<'responseItemListSchema'>>();
expectTypeOf<Shape<types.CompactedResponse>>().toExtend<Parsed<'compactedResponseSchema'>>();
