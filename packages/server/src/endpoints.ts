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
  parseResponseCreate,
  projectApiKeyCreateParamsSchema,
  projectApiKeyRotateParamsSchema,
  projectApiKeyUpdateParamsSchema,
  projectCreateParamsSchema,
  projectUpdateParamsSchema,
  responseCompactParamsSchema,
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
    ...responseInputEndpoints,
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

const chatCompletionEndpoint = (defaultModel: string | undefined): MountedEndpoint =>
  endpoint(contract['chat.completions.create'], {
    access: 'infer',
    idempotent: true,
    parse: chatCompletionBody(defaultModel),
    handle: createChatCompletion,
  });

const responseEndpoint = (defaultModel: string | undefined): MountedEndpoint =>
  endpoint(contract['responses.create'], {
    access: 'infer',
    idempotent: true,
    parse: (body, unknownFields) => parseResponseCreate(body, { unknownFields, defaultModel }),
    handle: createResponse,
  });

const responseInputEndpoints = [
  endpoint(contract['responses.input_tokens.count'], {
    access: 'infer',
    parse: jsonBody(responseInputTokensParamsSchema),
    handle: countInputTokens,
  }),
  endpoint(contract['responses.compact'], {
    access: 'infer',
    idempotent: true,
    parse: jsonBody(responseCompactParamsSchema),
    handle: compactResponse,
  }),
];
const textCompletionEndpoint = (defaultModel: string | undefined): MountedEndpoint =>
  endpoint(contract['completions.create'], {
    access: 'infer',
    idempotent: true,
    parse: (body, unknownFields, text) => {
      const exactBody = text === undefined ? body : withExactSeed(body, text);
      return parseRequest(textCompletionCreateParamsSchema, withDefaultModel(exactBody, defaultModel), {
        unknownFields,
      });
    },
    handle: createTextCompletion,
  });

function withDefaultModel(body: unknown, model: string | undefined): unknown {
  return model !== undefined && isRecord(body) && body['model'] === undefined ? { ...body, model } : body;
}

const modelEndpoints = [
  endpoint(contract['models.list'], { access: 'any', handle: listModels }),
  endpoint(contract['models.retrieve'], { access: 'any', handle: retrieveModel }),
  endpoint(contract['capabilities.retrieve'], { access: 'any', handle: retrieveModelCapabilities }),
];

const embeddingEndpoints = [
  endpoint(contract['embeddings.create'], {
    access: 'infer',
    idempotent: true,
    parse: jsonBody(embeddingCreateParamsSchema),
    handle: createEmbedding,
  }),
];

const moderationEndpoints = [
  endpoint(contract['moderations.create'], {
    access: 'infer',
    idempotent: true,
    parse: jsonBody(moderationCreateParamsSchema),
    handle: createModeration,
  }),
];

const storeEndpoints = [
  endpoint(contract['chat.completions.list'], { access: 'read', handle: stored.listChatCompletions }),
  endpoint(contract['chat.completions.retrieve'], { access: 'read', handle: stored.retrieveChatCompletion }),
  endpoint(contract['chat.completions.update'], {
    access: 'write',
    parse: jsonBody(chatCompletionUpdateParamsSchema),
    handle: stored.updateChatCompletion,
  }),
  endpoint(contract['chat.completions.delete'], { access: 'write', handle: stored.deleteChatCompletion }),
  endpoint(contract['chat.completions.messages.list'], { access: 'read', handle: stored.listChatMessages }),
  endpoint(contract['responses.retrieve'], { access: 'read', handle: responses.retrieveResponse }),
  endpoint(contract['responses.delete'], { access: 'write', handle: responses.deleteResponse }),
  endpoint(contract['responses.cancel'], { access: 'write', handle: responses.cancelResponse }),
  endpoint(contract['responses.input_items.list'], { access: 'read', handle: responses.listResponseInputItems }),
  endpoint(contract['conversations.create'], {
    access: 'write',
    idempotent: true,
    parse: optionalJsonBody(conversationCreateParamsSchema),
    handle: conversations.createConversation,
  }),
  endpoint(contract['conversations.retrieve'], { access: 'read', handle: conversations.retrieveConversation }),
  endpoint(contract['conversations.update'], {
    access: 'write',
    parse: jsonBody(conversationUpdateParamsSchema),
    handle: conversations.updateConversation,
  }),
  endpoint(contract['conversations.delete'], { access: 'write', handle: conversations.deleteConversation }),
  endpoint(contract['conversations.items.create'], {
    access: 'write',
    idempotent: true,
    parse: jsonBody(conversationItemsCreateParamsSchema),
    handle: conversationItems.createConversationItems,
  }),
  endpoint(contract['conversations.items.list'], { access: 'read', handle: conversationItems.listConversationItems }),
  endpoint(contract['conversations.items.retrieve'], {
    access: 'read',
    handle: conversationItems.retrieveConversationItem,
  }),
  endpoint(contract['conversations.items.delete'], {
    access: 'write',
    handle: conversationItems.deleteConversationItem,
  }),
  endpoint(contract['usage.completions'], { access: 'operate', handle: readUsage }),
];

const blobEndpoints = [
  endpoint(contract['files.create'], {
    access: 'write',
    idempotent: true,
    parseForm: formFields(fileCreateFieldsSchema),
    handle: createFile,
  }),
  endpoint(contract['files.list'], { access: 'read', handle: files.listFiles }),
  endpoint(contract['files.retrieve'], { access: 'read', handle: files.retrieveFile }),
  endpoint(contract['files.delete'], { access: 'write', handle: files.deleteFile }),
  endpoint(contract['files.content'], { access: 'read', handle: readFileContent }),
  endpoint(contract['uploads.create'], {
    access: 'write',
    idempotent: true,
    parse: jsonBody(uploadCreateParamsSchema),
    handle: createUpload,
  }),
  endpoint(contract['uploads.parts.create'], {
    access: 'write',
    idempotent: true,
    preValidate: admitPart,
    onForm: expectPart,
    parseForm: formFields(uploadPartFieldsSchema),
    handle: addUploadPart,
  }),
  endpoint(contract['uploads.complete'], {
    access: 'write',
    idempotent: true,
    parse: jsonBody(uploadCompleteParamsSchema),
    handle: completeUpload,
  }),
  endpoint(contract['uploads.cancel'], { access: 'write', handle: cancelUpload }),
  endpoint(contract['batches.create'], {
    access: 'write',
    idempotent: true,
    parse: jsonBody(batchCreateParamsSchema),
    handle: createBatch,
  }),
  endpoint(contract['batches.list'], { access: 'read', handle: listBatches }),
  endpoint(contract['batches.retrieve'], { access: 'read', handle: retrieveBatch }),
  endpoint(contract['batches.cancel'], { access: 'write', handle: cancelBatch }),
];

const videoEndpoints = [
  endpoint(contract['videos.create'], {
    access: 'infer',
    idempotent: true,
    parse: jsonBody(videoCreateFieldsSchema),
    parseForm: formFields(videoCreateFieldsSchema),
    handle: createVideo,
  }),
  endpoint(contract['videos.list'], { access: 'read', handle: videos.listVideos }),
  endpoint(contract['videos.retrieve'], { access: 'read', handle: videos.retrieveVideo }),
  endpoint(contract['videos.delete'], { access: 'write', handle: videos.deleteVideo }),
  endpoint(contract['videos.content'], { access: 'read', handle: readVideoContent }),
  endpoint(contract['videos.remix'], {
    access: 'infer',
    idempotent: true,
    parse: jsonBody(videoRemixParamsSchema),
    parseForm: formFields(videoRemixParamsSchema),
    handle: remixVideo,
  }),
];

/** An endpoint for keys with the role `admin`. */
function adminEndpoint<Shape extends z.core.$ZodShape, Body = undefined>(
  entry: Endpoint<string, z.ZodObject<Shape>>,
  handle: EndpointHandler<Body, z.output<z.ZodObject<Shape>>>['handle'],
  parse?: EndpointHandler<Body, z.output<z.ZodObject<Shape>>>['parse'],
): MountedEndpoint {
  return endpoint(entry, { access: 'operate', handle, ...(parse && { parse }) });
}

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
