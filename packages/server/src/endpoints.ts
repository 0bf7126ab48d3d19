import type { EndpointNeed } from '@modelwire/schema';
import { cancelBatch } from './resources/batches/cancel.ts';
import { createBatch } from './resources/batches/create.ts';
import { listBatches, retrieveBatch } from './resources/batches/read.ts';
import { createChatCompletion } from './resources/chat/create.ts';
import { storedCompletions } from './resources/completions/stored.ts';
import { conversations } from './resources/conversations/conversations.ts';
import { createEmbedding } from './resources/embeddings/create.ts';
import { createFile } from './resources/files/create.ts';
import { storedFiles } from './resources/files/stored.ts';
import { retrieveModelCapabilities } from './resources/models/capabilities.ts';
import { listModels } from './resources/models/list.ts';
import { retrieveModel } from './resources/models/retrieve.ts';
import type { ResolvedServerOptions } from './options/options.ts';
import type { Handlers } from './http/implement.ts';
import { createModeration } from './resources/moderations/create.ts';
import { storedResponses } from './resources/responses/stored.ts';
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
import { storedVideos } from './resources/videos/stored.ts';
import { apiKeys } from './resources/organization/api-keys.ts';
import { listAuditLogs } from './resources/organization/audit-logs.ts';
import { budgets } from './resources/organization/budgets.ts';
import { readCosts } from './resources/organization/costs.ts';
import { projects } from './resources/organization/projects.ts';
import { webhookDeliveries } from './resources/organization/webhook-deliveries.ts';
import { webhooks } from './resources/organization/webhooks.ts';
import { readUsage } from './resources/usage/read.ts';

/** What the server does at each endpoint of the contract. */
export const handlers: Handlers = {
  'chat.completions.create': createChatCompletion,
  ...storedCompletions,
  'responses.create': createResponse,
  'responses.input_tokens.count': countInputTokens,
  'responses.compact': compactResponse,
  ...storedResponses,
  ...conversations,
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
  ...storedFiles,
  'videos.create': createVideo,
  'videos.content': readVideoContent,
  'videos.remix': remixVideo,
  ...storedVideos,
  'models.list': listModels,
  'models.retrieve': retrieveModel,
  'capabilities.retrieve': retrieveModelCapabilities,
  'usage.completions': readUsage,
  ...projects,
  ...apiKeys,
  ...budgets,
  'organization.audit_logs.list': listAuditLogs,
  'organization.costs': readCosts,
  ...webhooks,
  ...webhookDeliveries,
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
