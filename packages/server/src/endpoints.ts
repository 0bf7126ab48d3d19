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
  parseChatCompletionCreate,
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
import { isRecord } from '@modelwire/ports';
import { cancelBatch } from './resources/batches/cancel.ts';
import { createBatch } from './resources/batches/create.ts';
import { listBatches, retrieveBatch } from './resources/batches/read.ts';
import { formFields, jsonBody, optionalJsonBody } from './http/body-parsers.ts';
import { withExactSeed } from './http/exact-seed.ts';
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
    chatCreation(defaultModel),
    responseCreation(defaultModel),
    ...responseInputs,
    textCompletionCreation(defaultModel),
    ...models,
    ...(embeddingEngines.length > 0 ? withEmbeddings : []),
    ...(moderationEngines.length > 0 ? withModeration : []),
    ...(stores ? withStores : []),
    ...(stores ? administration : []),
    ...(stores && webhookOptions ? withWebhooks : []),
    ...(stores && blobs ? withBlobs : []),
    ...(stores && blobs && videoEngines.length > 0 ? withVideos : []),
  ];
}

const chatCreation = (defaultModel: string | undefined): MountedEndpoint =>
  endpoint(contract['chat.completions.create'], {
    access: 'infer',
    idempotent: true,
    parse: (body, unknownFields, text) => {
      const exact = text === undefined ? body : withExactSeed(body, text);
      return parseChatCompletionCreate(exact, { unknownFields, defaultModel });
    },
    handle: createChatCompletion,
  });

const responseCreation = (defaultModel: string | undefined): MountedEndpoint =>
  endpoint(contract['responses.create'], {
    access: 'infer',
    idempotent: true,
    parse: (body, unknownFields) => parseResponseCreate(body, { unknownFields, defaultModel }),
    handle: createResponse,
  });

const responseInputs = [
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
const textCompletionCreation = (defaultModel: string | undefined): MountedEndpoint =>
  endpoint(contract['completions.create'], {
    access: 'infer',
    idempotent: true,
    parse: (body, unknownFields, text) => {
      const exact = text === undefined ? body : withExactSeed(body, text);
      return parseRequest(textCompletionCreateParamsSchema, withDefaultModel(exact, defaultModel), { unknownFields });
    },
    handle: createTextCompletion,
  });

function withDefaultModel(body: unknown, model: string | undefined): unknown {
  return model !== undefined && isRecord(body) && body['model'] === undefined ? { ...body, model } : body;
}

const models = [
  endpoint(contract['models.list'], { access: 'any', handle: listModels }),
  endpoint(contract['models.retrieve'], { access: 'any', handle: retrieveModel }),
  endpoint(contract['capabilities.retrieve'], { access: 'any', handle: retrieveModelCapabilities }),
];

const withEmbeddings = [
  endpoint(contract['embeddings.create'], {
    access: 'infer',
    idempotent: true,
    parse: jsonBody(embeddingCreateParamsSchema),
    handle: createEmbedding,
  }),
];

const withModeration = [
  endpoint(contract['moderations.create'], {
    access: 'infer',
    idempotent: true,
    parse: jsonBody(moderationCreateParamsSchema),
    handle: createModeration,
  }),
];

const withStores = [
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

const withBlobs = [
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

const withVideos = [
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

/** For keys with the role `admin`. */
const administration = [
  endpoint(contract['organization.projects.list'], { access: 'operate', handle: projects.listProjects }),
  endpoint(contract['organization.projects.create'], {
    access: 'operate',
    parse: jsonBody(projectCreateParamsSchema),
    handle: projects.createProject,
  }),
  endpoint(contract['organization.projects.retrieve'], { access: 'operate', handle: projects.retrieveProject }),
  endpoint(contract['organization.projects.update'], {
    access: 'operate',
    parse: jsonBody(projectUpdateParamsSchema),
    handle: projects.updateProject,
  }),
  endpoint(contract['organization.projects.archive'], { access: 'operate', handle: projects.archiveProject }),
  endpoint(contract['organization.projects.api_keys.list'], { access: 'operate', handle: apiKeys.listApiKeys }),
  endpoint(contract['organization.projects.api_keys.create'], {
    access: 'operate',
    parse: jsonBody(projectApiKeyCreateParamsSchema),
    handle: apiKeys.createApiKey,
  }),
  endpoint(contract['organization.projects.api_keys.retrieve'], { access: 'operate', handle: apiKeys.retrieveApiKey }),
  endpoint(contract['organization.projects.api_keys.update'], {
    access: 'operate',
    parse: jsonBody(projectApiKeyUpdateParamsSchema),
    handle: apiKeys.updateApiKey,
  }),
  endpoint(contract['organization.projects.api_keys.rotate'], {
    access: 'operate',
    parse: optionalJsonBody(projectApiKeyRotateParamsSchema),
    handle: apiKeys.rotateApiKey,
  }),
  endpoint(contract['organization.projects.api_keys.delete'], { access: 'operate', handle: apiKeys.deleteApiKey }),
  endpoint(contract['organization.budgets.list'], { access: 'operate', handle: budgets.listBudgets }),
  endpoint(contract['organization.budgets.create'], {
    access: 'operate',
    parse: jsonBody(budgetCreateParamsSchema),
    handle: budgets.createBudget,
  }),
  endpoint(contract['organization.budgets.retrieve'], { access: 'operate', handle: budgets.retrieveBudget }),
  endpoint(contract['organization.budgets.update'], {
    access: 'operate',
    parse: jsonBody(budgetUpdateParamsSchema),
    handle: budgets.updateBudget,
  }),
  endpoint(contract['organization.budgets.reset'], { access: 'operate', handle: budgets.resetBudget }),
  endpoint(contract['organization.budgets.delete'], { access: 'operate', handle: budgets.deleteBudget }),
  endpoint(contract['organization.audit_logs.list'], { access: 'operate', handle: listAuditLogs }),
  endpoint(contract['organization.costs'], { access: 'operate', handle: readCosts }),
];

const withWebhooks = [
  endpoint(contract['organization.webhooks.list'], { access: 'operate', handle: webhooks.listWebhooks }),
  endpoint(contract['organization.webhooks.create'], {
    access: 'operate',
    parse: jsonBody(webhookCreateParamsSchema),
    handle: webhooks.createWebhook,
  }),
  endpoint(contract['organization.webhooks.retrieve'], { access: 'operate', handle: webhooks.retrieveWebhook }),
  endpoint(contract['organization.webhooks.update'], {
    access: 'operate',
    parse: jsonBody(webhookUpdateParamsSchema),
    handle: webhooks.updateWebhook,
  }),
  endpoint(contract['organization.webhooks.delete'], { access: 'operate', handle: webhooks.deleteWebhook }),
  endpoint(contract['organization.webhooks.rotate_secret'], {
    access: 'operate',
    parse: jsonBody(webhookRotateSecretParamsSchema),
    handle: webhooks.rotateWebhookSecret,
  }),
  endpoint(contract['organization.webhooks.deliveries.list'], {
    access: 'operate',
    handle: webhookDeliveries.listWebhookDeliveries,
  }),
  endpoint(contract['organization.webhooks.deliveries.retrieve'], {
    access: 'operate',
    handle: webhookDeliveries.retrieveWebhookDelivery,
  }),
  endpoint(contract['organization.webhooks.deliveries.redeliver'], {
    access: 'operate',
    handle: webhookDeliveries.redeliverWebhook,
  }),
];
