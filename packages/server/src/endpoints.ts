import type { EndpointNeed } from '@modelwire/schema';
import { cancelBatch } from './resources/batches/cancel.ts';
import { createBatch } from './resources/batches/create.ts';
import { listBatches, retrieveBatch } from './resources/batches/read.ts';
import { createChatCompletion } from './resources/chat/create.ts';
import * as stored from './resources/completions/stored.ts';
import * as conversations from './resources/conversations/conversations.ts';
import * as conversationItems from './resources/conversations/items.ts';
import { createEmbedding } from './resources/embeddings/create.ts';
import { createFile } from './resources/files/create.ts';
import * as files from './resources/files/stored.ts';
import { retrieveModelCapabilities } from './resources/models/capabilities.ts';
import { listModels } from './resources/models/list.ts';
import { retrieveModel } from './resources/models/retrieve.ts';
import type { ResolvedServerOptions } from './options/options.ts';
import type { Handlers } from './http/implement.ts';
import { createModeration } from './resources/moderations/create.ts';
import * as responses from './resources/responses/stored.ts';
import { createTextCompletion } from './resources/text-completions/create.ts';
import { addUploadPart } from './resources/uploads/add-part.ts';
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

/** What the server does at each endpoint of the contract. */
export const handlers: Handlers = {
  'chat.completions.create': createChatCompletion,
  'chat.completions.list': stored.listChatCompletions,
  'chat.completions.retrieve': stored.retrieveChatCompletion,
  'chat.completions.update': stored.updateChatCompletion,
  'chat.completions.delete': stored.deleteChatCompletion,
  'chat.completions.messages.list': stored.listChatMessages,
  'responses.create': createResponse,
  'responses.input_tokens.count': countInputTokens,
  'responses.compact': compactResponse,
  'responses.retrieve': responses.retrieveResponse,
  'responses.delete': responses.deleteResponse,
  'responses.cancel': responses.cancelResponse,
  'responses.input_items.list': responses.listResponseInputItems,
  'conversations.create': conversations.createConversation,
  'conversations.retrieve': conversations.retrieveConversation,
  'conversations.update': conversations.updateConversation,
  'conversations.delete': conversations.deleteConversation,
  'conversations.items.create': conversationItems.createConversationItems,
  'conversations.items.list': conversationItems.listConversationItems,
  'conversations.items.retrieve': conversationItems.retrieveConversationItem,
  'conversations.items.delete': conversationItems.deleteConversationItem,
  'completions.create': createTextCompletion,
  'embeddings.create': createEmbedding,
  'moderations.create': createModeration,
  'batches.create': createBatch,
  'batches.list': listBatches,
  'batches.retrieve': retrieveBatch,
  'batches.cancel': cancelBatch,
  'uploads.create': createUpload,
  'uploads.parts.create': addUploadPart,
  'uploads.complete': completeUpload,
  'uploads.cancel': cancelUpload,
  'files.create': createFile,
  'files.list': files.listFiles,
  'files.retrieve': files.retrieveFile,
  'files.delete': files.deleteFile,
  'files.content': files.readFileContent,
  'videos.create': createVideo,
  'videos.list': videos.listVideos,
  'videos.retrieve': videos.retrieveVideo,
  'videos.delete': videos.deleteVideo,
  'videos.content': readVideoContent,
  'videos.remix': remixVideo,
  'models.list': listModels,
  'models.retrieve': retrieveModel,
  'capabilities.retrieve': retrieveModelCapabilities,
  'usage.completions': readUsage,
  'organization.projects.list': projects.listProjects,
  'organization.projects.create': projects.createProject,
  'organization.projects.retrieve': projects.retrieveProject,
  'organization.projects.update': projects.updateProject,
  'organization.projects.archive': projects.archiveProject,
  'organization.projects.api_keys.list': apiKeys.listApiKeys,
  'organization.projects.api_keys.create': apiKeys.createApiKey,
  'organization.projects.api_keys.retrieve': apiKeys.retrieveApiKey,
  'organization.projects.api_keys.update': apiKeys.updateApiKey,
  'organization.projects.api_keys.rotate': apiKeys.rotateApiKey,
  'organization.projects.api_keys.delete': apiKeys.deleteApiKey,
  'organization.budgets.list': budgets.listBudgets,
  'organization.budgets.create': budgets.createBudget,
  'organization.budgets.retrieve': budgets.retrieveBudget,
  'organization.budgets.update': budgets.updateBudget,
  'organization.budgets.reset': budgets.resetBudget,
  'organization.budgets.delete': budgets.deleteBudget,
  'organization.audit_logs.list': listAuditLogs,
  'organization.costs': readCosts,
  'organization.webhooks.list': webhooks.listWebhooks,
  'organization.webhooks.create': webhooks.createWebhook,
  'organization.webhooks.retrieve': webhooks.retrieveWebhook,
  'organization.webhooks.update': webhooks.updateWebhook,
  'organization.webhooks.delete': webhooks.deleteWebhook,
  'organization.webhooks.rotate_secret': webhooks.rotateWebhookSecret,
  'organization.webhooks.deliveries.list': webhookDeliveries.listWebhookDeliveries,
  'organization.webhooks.deliveries.retrieve': webhookDeliveries.retrieveWebhookDelivery,
  'organization.webhooks.deliveries.redeliver': webhookDeliveries.redeliverWebhook,
};

/** The parts of a server with these options that endpoints need. */
export function partsOf(options: ResolvedServerOptions): ReadonlySet<EndpointNeed> {
  const parts: readonly (readonly [EndpointNeed, boolean])[] = [
    ['stores', options.stores !== undefined],
    ['blobs', options.blobs !== undefined],
    ['embeddings', options.embeddingEngines.length > 0],
    ['moderations', options.moderationEngines.length > 0],
    ['videos', options.videoEngines.length > 0],
    ['webhooks', options.webhooks !== undefined],
  ];
  return new Set(parts.flatMap(([need, isPresent]) => (isPresent ? [need] : [])));
}
