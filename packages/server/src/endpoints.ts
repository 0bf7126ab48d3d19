import type { EndpointNeed } from '@modelwire/schema';
import { cancelBatch } from './resources/batches/cancel.ts';
import { createBatch } from './resources/batches/create.ts';
import { listBatches, retrieveBatch } from './resources/batches/read.ts';
import { createChatCompletion } from './resources/chat/create.ts';
import { storedCompletions } from './resources/completions/stored.ts';
import { conversations } from './resources/conversations/conversations.ts';
import { compareDataset } from './resources/datasets/compare.ts';
import { createDataset } from './resources/datasets/create.ts';
import { rerunDataset } from './resources/datasets/rerun.ts';
import { createEmbedding } from './resources/embeddings/create.ts';
import { files } from './resources/files/files.ts';
import type { ResolvedServerOptions } from './options/options.ts';
import type { Handlers } from './http/implement.ts';
import { countMessageTokens } from './resources/messages/count-tokens.ts';
import { createMessage } from './resources/messages/create.ts';
import { messageBatches } from './resources/batches/message-batches.ts';
import { models } from './resources/models/models.ts';
import { uploads } from './resources/uploads/uploads.ts';
import { videos } from './resources/videos/videos.ts';
import { createModeration } from './resources/moderations/create.ts';
import { storedResponses } from './resources/responses/stored.ts';
import { createTextCompletion } from './resources/text-completions/create.ts';
import { compactResponse } from './resources/responses/compact.ts';
import { countInputTokens } from './resources/responses/count-input-tokens.ts';
import { createResponse } from './resources/responses/create.ts';
import { apiKeys } from './resources/organization/api-keys.ts';
import { listAuditLogs } from './resources/organization/audit-logs.ts';
import { budgets } from './resources/organization/budgets.ts';
import { readCosts, readUsage } from './resources/usage/by-days.ts';
import { requestLogs } from './resources/organization/request-logs.ts';
import { projects } from './resources/organization/projects.ts';
import { webhookDeliveries } from './resources/organization/webhook-deliveries.ts';
import { webhooks } from './resources/organization/webhooks.ts';

/** What the server does at each endpoint of the contract. */
export const handlers: Handlers = {
  'chat.completions.create': createChatCompletion,
  ...storedCompletions,
  'responses.create': createResponse,
  'responses.input_tokens.count': countInputTokens,
  'responses.compact': compactResponse,
  ...storedResponses,
  ...conversations,
  'messages.create': createMessage,
  'messages.count_tokens': countMessageTokens,
  ...messageBatches,
  'completions.create': createTextCompletion,
  'embeddings.create': createEmbedding,
  'moderations.create': createModeration,
  'batches.create': createBatch,
  'batches.list': listBatches,
  'batches.retrieve': retrieveBatch,
  'batches.cancel': cancelBatch,
  'datasets.create': createDataset,
  'datasets.compare': compareDataset,
  'datasets.rerun': rerunDataset,
  ...uploads,
  ...files,
  ...videos,
  ...models,
  'usage.completions': readUsage,
  ...projects,
  ...apiKeys,
  ...budgets,
  'organization.audit_logs.list': listAuditLogs,
  ...requestLogs,
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
