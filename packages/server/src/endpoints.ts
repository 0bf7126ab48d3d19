import {
  batchCreateParamsSchema,
  budgetCreateParamsSchema,
  budgetUpdateParamsSchema,
  chatCompletionUpdateParamsSchema,
  contract,
  conversationCreateParamsSchema,
  conversationItemsCreateParamsSchema,
  conversationUpdateParamsSchema,
  embeddingCreateParamsSchema,
  fileCreateFieldsSchema,
  moderationCreateParamsSchema,
  parseRequest,
  parseResponseCompact,
  parseResponseCreate,
  projectApiKeyCreateParamsSchema,
  projectApiKeyRotateParamsSchema,
  projectApiKeyUpdateParamsSchema,
  projectCreateParamsSchema,
  projectUpdateParamsSchema,
  responseInputTokensParamsSchema,
  textCompletionCreateParamsSchema,
  uploadCompleteParamsSchema,
  uploadCreateParamsSchema,
  uploadPartFieldsSchema,
  videoCreateFieldsSchema,
  videoRemixParamsSchema,
  webhookCreateParamsSchema,
  webhookRotateSecretParamsSchema,
  webhookUpdateParamsSchema,
} from '@modelwire/schema';
import type { Endpoint } from '@modelwire/schema';
import type * as z from 'zod';
import { isRecord } from '@modelwire/ports';
import { cancelBatch } from './resources/batches/cancel.ts';
import { createBatch } from './resources/batches/create.ts';
import { listBatches, retrieveBatch } from './resources/batches/read.ts';
import { formFields, jsonBody, optionalJsonBody, chatCompletionBody, withExactSeed } from './http/parse-request.ts';
import { createChatCompletion } from './resources/chat/create.ts';
import * as stored from './resources/completions/stored.ts';
import * as conversations from './resources/conversations/conversations.ts';
import * as conversationItems from './resources/conversations/items.ts';
import { createEmbedding } from './resources/embeddings/create.ts';
import { readFileContent } from './resources/files/content.ts';
import { createFile } from './resources/files/create.ts';
import * as files from './resources/files/stored.ts';
import { retrieveModelCapabilities } from './resources/models/capabilities.ts';
import { listModels } from './resources/models/list.ts';
import { retrieveModel } from './resources/models/retrieve.ts';
import type { ResolvedServerOptions } from './options.ts';
import { endpoint } from './http/endpoint.ts';
import type { MountedEndpoint } from './http/endpoint.ts';
import type { EndpointHandler } from './http/route.ts';
import { createModeration } from './resources/moderations/create.ts';
import * as responses from './resources/responses/stored.ts';
import { createTextCompletion } from './resources/text-completions/create.ts';
import { addUploadPart, admitPart, expectPart } from './resources/uploads/add-part.ts';
import { cancelUpload } from './resources/uploads/cancel.ts';
import { completeUpload } from './resources/uploads/complete.ts';
import { compactResponse } from './resources/responses/compact.ts';
import { countInputTokens } from './resources/responses/count-input-tokens.ts';
import { createResponse } from './resources/responses/create.ts';
import { createUpload } from './resources/uploads/create.ts';
import { readVideoContent } from './resources/videos/content.ts';
import { createVideo } from './resources/videos/create.ts';
import { remixVideo } from './resources/videos/remix.ts';
import * as videos from './resources/videos/stored.ts';
import * as apiKeys from './resources/organization/api-keys.ts';
import { listAuditLogs } from './resources/organization/audit-logs.ts';
import * as budgets from './resources/organization/budgets.ts';
import { readCosts } from './resources/organization/costs.ts';
import * as projects from './resources/organization/projects.ts';
import * as webhookDeliveries from './resources/organization/webhook-deliveries.ts';
import * as webhooks from './resources/organization/webhooks.ts';
import { readUsage } from './resources/usage/read.ts';

/** All endpoints of a server with these options, each from its entry in the contract. */
export function endpointsOf({
  stores,
  blobs,
  embeddingEngines,
  moderationEngines,
  videoEngines,
  webhooks: webhookOptions,
  defaultModel,
}: Pick<
  ResolvedServerOptions,
  'stores' | 'blobs' | 'embeddingEngines' | 'moderationEngines' | 'videoEngines' | 'webhooks' | 'defaultModel'
>): readonly MountedEndpoint[] {
  return [
    chatCompletionEndpoint(defaultModel),
    responseEndpoint(defaultModel),
    inputTokensEndpoint,
    compactEndpoint(defaultModel),
    textCompletionEndpoint(defaultModel),
    ...modelEndpoints,
    ...(embeddingEngines.length > 0 ? embeddingEndpoints : []),
    ...(moderationEngines.length > 0 ? moderationEndpoints : []),
    ...(stores ? storeEndpoints : []),
    ...(stores ? adminEndpoints : []),
    ...(stores && webhookOptions ? webhookEndpoints : []),
    ...(stores && blobs ? blobEndpoints : []),
    ...(stores && blobs && videoEngines.length > 0 ? videoEndpoints : []),
  ];
}

type EndpointAccess = EndpointHandler<undefined, object>['access'];
type Handler<Shape extends z.core.$ZodShape, Body> = EndpointHandler<Body, z.output<z.ZodObject<Shape>>>;

const withAccess =
  (access: EndpointAccess) =>
  <Shape extends z.core.$ZodShape, Body = undefined>(
    entry: Endpoint<string, z.ZodObject<Shape>>,
    handle: Handler<Shape, Body>['handle'],
    parse?: Handler<Shape, Body>['parse'],
  ): MountedEndpoint =>
    endpoint(entry, { access, handle, ...(parse && { parse }) });

/** An endpoint for any authenticated key, whatever its permissions. */
const anyKeyEndpoint = withAccess('any');
const readEndpoint = withAccess('read');
/** An endpoint of a job that keys that may run models have started, such as a video. */
const resultEndpoint = withAccess('result');
const writeEndpoint = withAccess('write');
/** An endpoint for keys with the role `admin`. */
const adminEndpoint = withAccess('operate');

/** An endpoint that takes an `Idempotency-Key`. */
const idempotentEndpoint = <Shape extends z.core.$ZodShape, Body>(
  entry: Endpoint<string, z.ZodObject<Shape>>,
  access: EndpointAccess,
  handle: Handler<Shape, Body>['handle'],
  parse: Handler<Shape, Body>['parse'],
): MountedEndpoint => endpoint(entry, { access, idempotent: true, handle, parse });

const chatCompletionEndpoint = (defaultModel: string | undefined): MountedEndpoint =>
  idempotentEndpoint(
    contract['chat.completions.create'],
    'infer',
    createChatCompletion,
    chatCompletionBody(defaultModel),
  );

const responseEndpoint = (defaultModel: string | undefined): MountedEndpoint =>
  idempotentEndpoint(contract['responses.create'], 'infer', createResponse, (body, unknownFields) =>
    parseResponseCreate(body, { unknownFields, defaultModel }),
  );

const inputTokensEndpoint = endpoint(contract['responses.input_tokens.count'], {
  access: 'infer',
  parse: jsonBody(responseInputTokensParamsSchema),
  handle: countInputTokens,
});

const compactEndpoint = (defaultModel: string | undefined): MountedEndpoint =>
  idempotentEndpoint(contract['responses.compact'], 'infer', compactResponse, (body, unknownFields) =>
    parseResponseCompact(body, { unknownFields, defaultModel }),
  );

const textCompletionEndpoint = (defaultModel: string | undefined): MountedEndpoint =>
  idempotentEndpoint(contract['completions.create'], 'infer', createTextCompletion, (body, unknownFields) =>
    parseRequest(textCompletionCreateParamsSchema, withDefaultModel(withExactSeed(body), defaultModel), {
      unknownFields,
    }),
  );

function withDefaultModel(body: unknown, model: string | undefined): unknown {
  return model !== undefined && isRecord(body) && body['model'] === undefined ? { ...body, model } : body;
}

const modelEndpoints = [
  anyKeyEndpoint(contract['models.list'], listModels),
  anyKeyEndpoint(contract['models.retrieve'], retrieveModel),
  anyKeyEndpoint(contract['capabilities.retrieve'], retrieveModelCapabilities),
];

const embeddingEndpoints = [
  idempotentEndpoint(contract['embeddings.create'], 'infer', createEmbedding, jsonBody(embeddingCreateParamsSchema)),
];

const moderationEndpoints = [
  idempotentEndpoint(contract['moderations.create'], 'infer', createModeration, jsonBody(moderationCreateParamsSchema)),
];

const storeEndpoints = [
  readEndpoint(contract['chat.completions.list'], stored.listChatCompletions),
  readEndpoint(contract['chat.completions.retrieve'], stored.retrieveChatCompletion),
  writeEndpoint(
    contract['chat.completions.update'],
    stored.updateChatCompletion,
    jsonBody(chatCompletionUpdateParamsSchema),
  ),
  writeEndpoint(contract['chat.completions.delete'], stored.deleteChatCompletion),
  readEndpoint(contract['chat.completions.messages.list'], stored.listChatMessages),
  resultEndpoint(contract['responses.retrieve'], responses.retrieveResponse),
  writeEndpoint(contract['responses.delete'], responses.deleteResponse),
  writeEndpoint(contract['responses.cancel'], responses.cancelResponse),
  readEndpoint(contract['responses.input_items.list'], responses.listResponseInputItems),
  idempotentEndpoint(
    contract['conversations.create'],
    'write',
    conversations.createConversation,
    optionalJsonBody(conversationCreateParamsSchema),
  ),
  readEndpoint(contract['conversations.retrieve'], conversations.retrieveConversation),
  writeEndpoint(
    contract['conversations.update'],
    conversations.updateConversation,
    jsonBody(conversationUpdateParamsSchema),
  ),
  writeEndpoint(contract['conversations.delete'], conversations.deleteConversation),
  idempotentEndpoint(
    contract['conversations.items.create'],
    'write',
    conversationItems.createConversationItems,
    jsonBody(conversationItemsCreateParamsSchema),
  ),
  readEndpoint(contract['conversations.items.list'], conversationItems.listConversationItems),
  readEndpoint(contract['conversations.items.retrieve'], conversationItems.retrieveConversationItem),
  writeEndpoint(contract['conversations.items.delete'], conversationItems.deleteConversationItem),
  adminEndpoint(contract['usage.completions'], readUsage),
];

const blobEndpoints = [
  endpoint(contract['files.create'], {
    access: 'write',
    idempotent: true,
    parseForm: formFields(fileCreateFieldsSchema),
    handle: createFile,
  }),
  readEndpoint(contract['files.list'], files.listFiles),
  readEndpoint(contract['files.retrieve'], files.retrieveFile),
  writeEndpoint(contract['files.delete'], files.deleteFile),
  readEndpoint(contract['files.content'], readFileContent),
  idempotentEndpoint(contract['uploads.create'], 'write', createUpload, jsonBody(uploadCreateParamsSchema)),
  endpoint(contract['uploads.parts.create'], {
    access: 'write',
    idempotent: true,
    preValidate: admitPart,
    onForm: expectPart,
    parseForm: formFields(uploadPartFieldsSchema),
    handle: addUploadPart,
  }),
  idempotentEndpoint(contract['uploads.complete'], 'write', completeUpload, jsonBody(uploadCompleteParamsSchema)),
  writeEndpoint(contract['uploads.cancel'], cancelUpload),
  idempotentEndpoint(contract['batches.create'], 'write', createBatch, jsonBody(batchCreateParamsSchema)),
  readEndpoint(contract['batches.list'], listBatches),
  readEndpoint(contract['batches.retrieve'], retrieveBatch),
  writeEndpoint(contract['batches.cancel'], cancelBatch),
];

const videoEndpoints = [
  endpoint(contract['videos.create'], {
    access: 'infer',
    idempotent: true,
    parse: jsonBody(videoCreateFieldsSchema),
    parseForm: formFields(videoCreateFieldsSchema),
    handle: createVideo,
  }),
  readEndpoint(contract['videos.list'], videos.listVideos),
  resultEndpoint(contract['videos.retrieve'], videos.retrieveVideo),
  writeEndpoint(contract['videos.delete'], videos.deleteVideo),
  resultEndpoint(contract['videos.content'], readVideoContent),
  endpoint(contract['videos.remix'], {
    access: 'infer',
    idempotent: true,
    parse: jsonBody(videoRemixParamsSchema),
    parseForm: formFields(videoRemixParamsSchema),
    handle: remixVideo,
  }),
];

const adminEndpoints = [
  adminEndpoint(contract['organization.projects.list'], projects.listProjects),
  adminEndpoint(contract['organization.projects.create'], projects.createProject, jsonBody(projectCreateParamsSchema)),
  adminEndpoint(contract['organization.projects.retrieve'], projects.retrieveProject),
  adminEndpoint(contract['organization.projects.update'], projects.updateProject, jsonBody(projectUpdateParamsSchema)),
  adminEndpoint(contract['organization.projects.archive'], projects.archiveProject),
  adminEndpoint(contract['organization.projects.api_keys.list'], apiKeys.listApiKeys),
  adminEndpoint(
    contract['organization.projects.api_keys.create'],
    apiKeys.createApiKey,
    jsonBody(projectApiKeyCreateParamsSchema),
  ),
  adminEndpoint(contract['organization.projects.api_keys.retrieve'], apiKeys.retrieveApiKey),
  adminEndpoint(
    contract['organization.projects.api_keys.update'],
    apiKeys.updateApiKey,
    jsonBody(projectApiKeyUpdateParamsSchema),
  ),
  adminEndpoint(
    contract['organization.projects.api_keys.rotate'],
    apiKeys.rotateApiKey,
    optionalJsonBody(projectApiKeyRotateParamsSchema),
  ),
  adminEndpoint(contract['organization.projects.api_keys.delete'], apiKeys.deleteApiKey),
  adminEndpoint(contract['organization.budgets.list'], budgets.listBudgets),
  adminEndpoint(contract['organization.budgets.create'], budgets.createBudget, jsonBody(budgetCreateParamsSchema)),
  adminEndpoint(contract['organization.budgets.retrieve'], budgets.retrieveBudget),
  adminEndpoint(contract['organization.budgets.update'], budgets.updateBudget, jsonBody(budgetUpdateParamsSchema)),
  adminEndpoint(contract['organization.budgets.reset'], budgets.resetBudget),
  adminEndpoint(contract['organization.budgets.delete'], budgets.deleteBudget),
  adminEndpoint(contract['organization.audit_logs.list'], listAuditLogs),
  adminEndpoint(contract['organization.costs'], readCosts),
];

const webhookEndpoints = [
  adminEndpoint(contract['organization.webhooks.list'], webhooks.listWebhooks),
  adminEndpoint(contract['organization.webhooks.create'], webhooks.createWebhook, jsonBody(webhookCreateParamsSchema)),
  adminEndpoint(contract['organization.webhooks.retrieve'], webhooks.retrieveWebhook),
  adminEndpoint(contract['organization.webhooks.update'], webhooks.updateWebhook, jsonBody(webhookUpdateParamsSchema)),
  adminEndpoint(contract['organization.webhooks.delete'], webhooks.deleteWebhook),
  adminEndpoint(
    contract['organization.webhooks.rotate_secret'],
    webhooks.rotateWebhookSecret,
    jsonBody(webhookRotateSecretParamsSchema),
  ),
  adminEndpoint(contract['organization.webhooks.deliveries.list'], webhookDeliveries.listWebhookDeliveries),
  adminEndpoint(contract['organization.webhooks.deliveries.retrieve'], webhookDeliveries.retrieveWebhookDelivery),
  adminEndpoint(contract['organization.webhooks.deliveries.redeliver'], webhookDeliveries.redeliverWebhook),
];
