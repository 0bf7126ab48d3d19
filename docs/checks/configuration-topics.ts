/** The topics of the configuration reference, each with the fields of the top level that belong to it, and an example. */
export const topics: readonly { title: string; text: string; fields: readonly string[]; example: string }[] = [
  {
    title: 'Models of other servers',
    text: 'Guide: [Put Modelwire in front of a model server](guides/in-front-of-a-model-server.md). The rules of sharing are in [Routing](operations/routing.md).',
    fields: ['upstreams', 'models', 'defaultModel', 'routing', 'circuitBreaker', 'localServers', 'passThrough'],
    example: `upstreams:
  - { name: ollama, preset: ollama, baseURL: 'http://127.0.0.1:11434/v1' }
  - { name: gpu, preset: vllm, baseURL: 'http://gpu:8000/v1', apiKeyEnv: VLLM_API_KEY }
models:
  large: { upstreamModel: meta-llama/Llama-3.3-70B, upstreams: [gpu], fallback: [ollama] }
  gpt-4o: { model: large }`,
  },
  {
    title: 'Providers with their own API',
    text: 'Guide: [Providers with their own API](guides/in-front-of-a-model-server.md#providers-with-their-own-api).',
    fields: ['providers'],
    example: `providers:
  - package: '@ai-sdk/anthropic'
    apiKeyEnv: ANTHROPIC_API_KEY
    models: [claude-sonnet-4-5]`,
  },
  {
    title: 'Models in the same process',
    text: 'Guide: [Run a GGUF file on your hardware](guides/gguf.md).',
    fields: ['gguf', 'simulator', 'embeddings', 'engineConcurrency', 'maxQueuedRequests', 'queueTimeoutMs'],
    example: `gguf:
  - { path: model.gguf, contextSize: 8192 }`,
  },
  {
    title: 'Requests and replies',
    text: 'Guide: [Get structured outputs from any model](guides/structured-outputs.md).',
    fields: [
      'structuredOutputAttempts',
      'defaultServiceTier',
      'hostedTools',
      'unknownFields',
      'remoteImages',
      'webSearch',
      'speech',
    ],
    example: `unknownFields: keep
webSearch: { url: 'http://127.0.0.1:9000/search', timeoutMs: 5000 }`,
  },
  {
    title: 'Moderation',
    text: 'The embedded models are described in the READMEs of [text](../packages/engine-moderation/README.md) and [image](../packages/engine-image-moderation/README.md) moderation. The one for texts judges two of the categories: `moderate` neither flags nor blocks the others in texts, which a warning names at startup.',
    fields: ['moderation', 'moderate', 'maxModerationImages'],
    example: `moderation: { judge: { model: 'llama-guard3:8b' } }
moderate: { of: input, flaggedInput: flag }`,
  },
  {
    title: 'Keys, limits and prices',
    text: 'Guides: [Keys and projects](operations/keys.md), [Budgets](operations/budgets.md).',
    fields: ['apiKeys', 'requestsPerMinute', 'tokensPerMinute', 'prices'],
    example: `requestsPerMinute: 600
prices:
  currency: eur
  models:
    large: { input: 0.6, cachedInput: 0.15, output: 2.4 }`,
  },
  {
    title: 'Storage and retention',
    text: 'Guides: [Run replicas on PostgreSQL and S3](guides/postgres-and-s3.md), [Use stored completions](guides/datasets.md).',
    fields: [
      'data',
      'database',
      's3',
      'databaseTimeoutMs',
      'blobTimeoutMs',
      'storeMessages',
      'completionSearch',
      'completionRetentionDays',
      'responseRetentionDays',
      'requestLogRetentionDays',
      'audioExpiresSeconds',
      'redaction',
    ],
    example: `database: postgres://modelwire@db/modelwire
s3: { bucket: modelwire, region: eu-central-1 }
completionRetentionDays: 90`,
  },
  {
    title: 'Uploads and request bodies',
    text: 'Guide: [Uploads](../packages/uploads/README.md).',
    fields: [
      'maxBodyBytes',
      'maxBufferedBytes',
      'maxConcurrentUploads',
      'uploadExpiresMs',
      'uploadIdleTimeoutMs',
      'uploadTimeoutMs',
      'minUploadBytesPerMinute',
    ],
    example: `maxBodyBytes: 67108864
maxConcurrentUploads: 32`,
  },
  {
    title: 'Batches and background responses',
    text: 'Guide: [Run large batches](guides/batches-at-scale.md).',
    fields: [
      'worker',
      'batchConcurrency',
      'maxBatchesPerProject',
      'batchRequestsPerMinute',
      'batchTokensPerMinute',
      'batchBudgetExceeded',
      'batchUnknownModelSeconds',
      'batchRetryDelayMs',
      'batchCancelTimeoutSeconds',
      'maxBackgroundResponses',
      'jobLeaseMs',
    ],
    example: `batchTokensPerMinute: 200000
batchBudgetExceeded: fail`,
  },
  {
    title: 'Videos',
    text: 'Guide: [Serve videos](guides/videos.md).',
    fields: ['videos', 'videoExpiresSeconds'],
    example: `videoExpiresSeconds: 86400`,
  },
  {
    title: 'Streams',
    text: 'Guide: [Streams that survive a dropped connection](guides/resumable-streams.md).',
    fields: ['resumableStreams', 'streamKeepAliveMs', 'writeTimeoutMs', 'contendedWriteTimeoutMs'],
    example: `resumableStreams: { maxDetachedMs: 60000 }`,
  },
  {
    title: 'Webhooks',
    text: 'Guide: [Webhooks](operations/webhooks.md).',
    fields: ['webhookTrustedHosts', 'webhookRetryDelaysSeconds'],
    example: `webhookTrustedHosts: ['hooks.internal:8080']`,
  },
  {
    title: 'Console and sign-in',
    text: 'Guides: [Console](console.md), [Sign in with your identity provider](guides/single-sign-on.md).',
    fields: ['console', 'oidc'],
    example: `oidc:
  issuer: https://login.example.com
  clientId: modelwire
  clientSecretEnv: OIDC_CLIENT_SECRET
  publicUrl: https://models.example.com
  access: [{ group: staff, role: full }]`,
  },
  {
    title: 'Network, pages and processes',
    text: 'Guides: [Operate a server](operations/README.md), [Scale out](operations/scaling-out.md), [Security hardening](operations/security.md).',
    fields: ['host', 'port', 'allowedHosts', 'cors', 'docs', 'workers', 'drainMs'],
    example: `host: 0.0.0.0
port: 8080
cors: { origins: ['https://app.example.com'] }
workers: auto`,
  },
  {
    title: 'Logs and metrics',
    text: 'Guide: [Monitoring](operations/monitoring.md).',
    fields: ['logLevel', 'slowRequestMs', 'metrics', 'eventLoopStallMs'],
    example: `logLevel: warn
slowRequestMs: 30000
metrics: { requireKey: true }`,
  },
];
