// One constant per endpoint, relative to the base URL that ends in /v1. Separate exports, so that unused ones are removed by bundlers.

export const createChatCompletion = { method: 'POST', path: '/chat/completions' } as const;
export const listChatCompletions = { method: 'GET', path: '/chat/completions' } as const;
export const retrieveChatCompletion = { method: 'GET', path: '/chat/completions/{completion_id}' } as const;
export const updateChatCompletion = { method: 'POST', path: '/chat/completions/{completion_id}' } as const;
export const deleteChatCompletion = { method: 'DELETE', path: '/chat/completions/{completion_id}' } as const;
export const resumeChatCompletion = { method: 'GET', path: '/chat/completions/{completion_id}/stream' } as const;
export const listChatMessages = { method: 'GET', path: '/chat/completions/{completion_id}/messages' } as const;

export const createCompletion = { method: 'POST', path: '/completions' } as const;

export const createEmbedding = { method: 'POST', path: '/embeddings' } as const;

export const createModeration = { method: 'POST', path: '/moderations' } as const;

export const createBatch = { method: 'POST', path: '/batches' } as const;
export const listBatches = { method: 'GET', path: '/batches' } as const;
export const retrieveBatch = { method: 'GET', path: '/batches/{batch_id}' } as const;
export const cancelBatch = { method: 'POST', path: '/batches/{batch_id}/cancel' } as const;

export const createDataset = { method: 'POST', path: '/datasets' } as const;
export const compareDataset = { method: 'POST', path: '/datasets/compare' } as const;
export const rerunDataset = { method: 'POST', path: '/datasets/rerun' } as const;

export const createResponse = { method: 'POST', path: '/responses' } as const;
export const retrieveResponse = { method: 'GET', path: '/responses/{response_id}' } as const;
export const deleteResponse = { method: 'DELETE', path: '/responses/{response_id}' } as const;
export const cancelResponse = { method: 'POST', path: '/responses/{response_id}/cancel' } as const;
export const listResponseInputItems = { method: 'GET', path: '/responses/{response_id}/input_items' } as const;
export const countResponseInputTokens = { method: 'POST', path: '/responses/input_tokens' } as const;
export const compactResponse = { method: 'POST', path: '/responses/compact' } as const;

export const createMessage = { method: 'POST', path: '/messages' } as const;
export const countMessageTokens = { method: 'POST', path: '/messages/count_tokens' } as const;
export const createMessageBatch = { method: 'POST', path: '/messages/batches' } as const;
export const listMessageBatches = { method: 'GET', path: '/messages/batches' } as const;
export const retrieveMessageBatch = { method: 'GET', path: '/messages/batches/{batch_id}' } as const;
export const cancelMessageBatch = { method: 'POST', path: '/messages/batches/{batch_id}/cancel' } as const;
export const retrieveMessageBatchResults = { method: 'GET', path: '/messages/batches/{batch_id}/results' } as const;
export const deleteMessageBatch = { method: 'DELETE', path: '/messages/batches/{batch_id}' } as const;

export const createConversation = { method: 'POST', path: '/conversations' } as const;
export const retrieveConversation = { method: 'GET', path: '/conversations/{conversation_id}' } as const;
export const updateConversation = { method: 'POST', path: '/conversations/{conversation_id}' } as const;
export const deleteConversation = { method: 'DELETE', path: '/conversations/{conversation_id}' } as const;
export const createConversationItems = { method: 'POST', path: '/conversations/{conversation_id}/items' } as const;
export const listConversationItems = { method: 'GET', path: '/conversations/{conversation_id}/items' } as const;
export const retrieveConversationItem = {
  method: 'GET',
  path: '/conversations/{conversation_id}/items/{item_id}',
} as const;
export const deleteConversationItem = {
  method: 'DELETE',
  path: '/conversations/{conversation_id}/items/{item_id}',
} as const;

export const createUpload = { method: 'POST', path: '/uploads' } as const;
export const addUploadPart = { method: 'POST', path: '/uploads/{upload_id}/parts' } as const;
export const completeUpload = { method: 'POST', path: '/uploads/{upload_id}/complete' } as const;
export const cancelUpload = { method: 'POST', path: '/uploads/{upload_id}/cancel' } as const;

export const createFile = { method: 'POST', path: '/files' } as const;
export const listFiles = { method: 'GET', path: '/files' } as const;
export const retrieveFile = { method: 'GET', path: '/files/{file_id}' } as const;
export const deleteFile = { method: 'DELETE', path: '/files/{file_id}' } as const;
export const retrieveFileContent = { method: 'GET', path: '/files/{file_id}/content' } as const;

export const createVideo = { method: 'POST', path: '/videos' } as const;
export const listVideos = { method: 'GET', path: '/videos' } as const;
export const retrieveVideo = { method: 'GET', path: '/videos/{video_id}' } as const;
export const deleteVideo = { method: 'DELETE', path: '/videos/{video_id}' } as const;
export const retrieveVideoContent = { method: 'GET', path: '/videos/{video_id}/content' } as const;
export const editVideo = { method: 'POST', path: '/videos/edits' } as const;
export const extendVideo = { method: 'POST', path: '/videos/extensions' } as const;
export const remixVideo = { method: 'POST', path: '/videos/{video_id}/remix' } as const;

export const retrieveUsage = { method: 'GET', path: '/organization/usage/completions' } as const;

export const retrieveCosts = { method: 'GET', path: '/organization/costs' } as const;

export const listProjects = { method: 'GET', path: '/organization/projects' } as const;
export const createProject = { method: 'POST', path: '/organization/projects' } as const;
export const retrieveProject = { method: 'GET', path: '/organization/projects/{project_id}' } as const;
export const updateProject = { method: 'POST', path: '/organization/projects/{project_id}' } as const;
export const archiveProject = { method: 'POST', path: '/organization/projects/{project_id}/archive' } as const;
export const listProjectApiKeys = { method: 'GET', path: '/organization/projects/{project_id}/api_keys' } as const;
export const createProjectApiKey = { method: 'POST', path: '/organization/projects/{project_id}/api_keys' } as const;
export const retrieveProjectApiKey = {
  method: 'GET',
  path: '/organization/projects/{project_id}/api_keys/{api_key_id}',
} as const;
export const updateProjectApiKey = {
  method: 'POST',
  path: '/organization/projects/{project_id}/api_keys/{api_key_id}',
} as const;
export const rotateProjectApiKey = {
  method: 'POST',
  path: '/organization/projects/{project_id}/api_keys/{api_key_id}/rotate',
} as const;
export const deleteProjectApiKey = {
  method: 'DELETE',
  path: '/organization/projects/{project_id}/api_keys/{api_key_id}',
} as const;

export const listBudgets = { method: 'GET', path: '/organization/budgets' } as const;
export const createBudget = { method: 'POST', path: '/organization/budgets' } as const;
export const retrieveBudget = { method: 'GET', path: '/organization/budgets/{budget_id}' } as const;
export const updateBudget = { method: 'POST', path: '/organization/budgets/{budget_id}' } as const;
export const resetBudget = { method: 'POST', path: '/organization/budgets/{budget_id}/reset' } as const;
export const deleteBudget = { method: 'DELETE', path: '/organization/budgets/{budget_id}' } as const;

export const listWebhooks = { method: 'GET', path: '/organization/webhooks' } as const;
export const createWebhook = { method: 'POST', path: '/organization/webhooks' } as const;
export const retrieveWebhook = { method: 'GET', path: '/organization/webhooks/{webhook_id}' } as const;
export const updateWebhook = { method: 'POST', path: '/organization/webhooks/{webhook_id}' } as const;
export const deleteWebhook = { method: 'DELETE', path: '/organization/webhooks/{webhook_id}' } as const;
export const rotateWebhookSecret = {
  method: 'POST',
  path: '/organization/webhooks/{webhook_id}/rotate_secret',
} as const;
export const listWebhookDeliveries = {
  method: 'GET',
  path: '/organization/webhooks/{webhook_id}/deliveries',
} as const;
export const retrieveWebhookDelivery = {
  method: 'GET',
  path: '/organization/webhooks/{webhook_id}/deliveries/{delivery_id}',
} as const;
export const redeliverWebhook = {
  method: 'POST',
  path: '/organization/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
} as const;

export const listRequestLogs = { method: 'GET', path: '/organization/request_logs' } as const;
export const retrieveRequestLog = { method: 'GET', path: '/organization/request_logs/{request_id}' } as const;
export const listAuditLogs = { method: 'GET', path: '/organization/audit_logs' } as const;

export const listModels = { method: 'GET', path: '/models' } as const;
export const retrieveModel = { method: 'GET', path: '/models/{model}' } as const;
export const retrieveModelCapabilities = { method: 'GET', path: '/capabilities/{model}' } as const;

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

/** The type of the constants above. */
export interface Route {
  readonly method: HttpMethod;
  /** Relative to the base URL, with `{name}` for each parameter. */
  readonly path: string;
}
