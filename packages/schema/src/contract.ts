import { batchEndpoints } from './contract/batches.ts';
import { chatEndpoints } from './contract/chat.ts';
import { conversationEndpoints } from './contract/conversations.ts';
import { datasetEndpoints } from './contract/datasets.ts';
import { embeddingEndpoints } from './contract/embeddings.ts';
import { fileEndpoints } from './contract/files.ts';
import { messageEndpoints } from './contract/messages.ts';
import { modelEndpoints } from './contract/models.ts';
import { moderationEndpoints } from './contract/moderations.ts';
import { organizationEndpoints } from './contract/organization.ts';
import { responseEndpoints } from './contract/responses.ts';
import { storedResponseEndpoints } from './contract/stored-responses.ts';
import { textCompletionEndpoints } from './contract/text-completions.ts';
import { usageEndpoints } from './contract/usage.ts';
import { uploadEndpoints } from './contract/uploads.ts';
import { videoEndpoints } from './contract/videos.ts';
import { webhookEndpoints } from './contract/webhooks.ts';

/** All endpoints by ID. */
export const contract = {
  ...chatEndpoints,
  ...responseEndpoints,
  ...storedResponseEndpoints,
  ...conversationEndpoints,
  ...messageEndpoints,
  ...textCompletionEndpoints,
  ...embeddingEndpoints,
  ...moderationEndpoints,
  ...batchEndpoints,
  ...datasetEndpoints,
  ...uploadEndpoints,
  ...fileEndpoints,
  ...videoEndpoints,
  ...modelEndpoints,
  ...usageEndpoints,
  ...organizationEndpoints,
  ...webhookEndpoints,
} as const;

export type Contract = typeof contract;
export type EndpointId = keyof Contract;
