import { ApiError, ConnectionError, TimeoutError } from '@modelwire/core';
import { createVideos } from '@modelwire/videos';
import type { Video, VideoRemixParams, VideoSeconds, VideoSize, VideosClient, VideoVariant } from '@modelwire/videos';
import { RequestError, VideoError, VideoRetry } from '@modelwire/ports';
import type { VideoContext, VideoEngine, VideoJob } from '@modelwire/ports';
import { optionChecks } from './presets/option-checks.ts';
import type { CircuitBreakerOptions, CircuitBreakers } from './attempts/circuit-breakers.ts';
import { errorFields } from './replies/error-body.ts';
import { sanitizeFields } from './attempts/failures.ts';
import { guardClient } from './guarded-client.ts';
import type { GuardedClient } from './guarded-client.ts';
import { observedFetch } from './observed-fetch.ts';
import { extractSecrets } from './requests/secrets.ts';
import { resolveCircuitBreakers } from './presets/settings.ts';

export interface UpstreamVideosOptions {
  /** Name of the engine in logs, and `owned_by` of its models. Default: `upstream`. */
  readonly name?: string;
  /** With the version prefix, for instance `https://api.example.com/v1`. */
  readonly baseURL: string;
  /** Sent as `Authorization: Bearer …`. Never in an error or a log. */
  readonly apiKey?: string;
  /** IDs that clients use, with the name at the server, sizes and seconds, if these differ from those of the API. */
  readonly models: Readonly<Record<string, UpstreamVideoModel>>;
  /** Maximum number of concurrent videos. Default 4. */
  readonly concurrency?: number;
  /** Initial polling interval in milliseconds, which grows to ten seconds. Default 1000. */
  readonly pollMs?: number;
  /**
   * When the upstream is paused for a model: options, or circuit breakers that are shared with other engines. Videos wait until the pause ends.
   */
  readonly circuitBreaker?: CircuitBreakerOptions | CircuitBreakers;
}

export interface UpstreamVideoModel {
  readonly upstreamModel?: string;
  readonly sizes?: readonly string[];
  readonly seconds?: readonly string[];
}

const defaultSizes = ['720x1280', '1280x720', '1024x1792', '1792x1024'];
const defaultSeconds = ['4', '8', '12'];
const variants: readonly VideoVariant[] = ['video', 'thumbnail', 'spritesheet'];

/**
 * The video models of any server with `/videos`: creates the video there, polls until it is ready, and copies its files. After a crash it
 * continues to poll the same video. A remix of a video of this server is a remix there.
 *
 * @throws a `TypeError` that names the option.
 */
export function createUpstreamVideos(options: UpstreamVideosOptions): VideoEngine {
  optionChecks.object('options', options, [
    'name',
    'baseURL',
    'apiKey',
    'models',
    'concurrency',
    'pollMs',
    'circuitBreaker',
  ]);
  optionChecks.url('baseURL', options.baseURL);
  optionChecks.object('models', options.models);
  const { name = 'upstream', baseURL, apiKey, concurrency = 4, pollMs = 1000 } = options;
  const created = Math.floor(Date.now() / 1000);
  const models = Object.freeze(
    Object.entries(options.models).map(([id, model]) => ({
      id,
      created,
      owned_by: name,
      sizes: model.sizes ?? defaultSizes,
      seconds: model.seconds ?? defaultSeconds,
      inputReference: true,
    })),
  );
  const secrets = extractSecrets(apiKey === undefined ? [] : ['authorization', `Bearer ${apiKey}`]);
  const circuitBreakers = resolveCircuitBreakers(options.circuitBreaker);
  const toUpstreamModel = (model: string): string => options.models[model]?.upstreamModel ?? model;

  return {
    name,
    isRemote: true,
    concurrency,
    models: () => models,
    async render(job, context) {
      const model = toUpstreamModel(job.model);
      const breaker = circuitBreakers.get(name, model);
      const guarded = guardClient({ breaker, model: job.model, server: name, secrets, toError });
      const { observer } = context;
      const reportUpstream = context.reportUpstream?.bind(context);
      const fetch = observedFetch({ upstream: name, model, observer, reportUpstream, isExpectedStatus: isMissingFile });
      const client = createVideos({ baseURL, apiKey, fetch });
      let id = context.checkpoint;
      try {
        id ??= await createVideo(client, job, context, guarded);
        await waitForVideo(client, id, context, { pollMs, guarded, secrets });
        for (const variant of variants) await copyFile(client, id, variant, { context, guarded });
      } catch (error) {
        const { reason } = context.signal as { readonly reason: unknown };
        // Cancels the video at the server to save its cost. If this fails, the video ends by itself.
        const isOver = reason instanceof VideoError || reason instanceof RequestError;
        if (id !== undefined && isOver) await client.delete(id).catch(() => undefined);
        context.signal.throwIfAborted();
        throw error;
      }
    },
  };

  async function createVideo(
    client: VideosClient,
    job: VideoJob,
    { signal, saveCheckpoint }: VideoContext,
    guarded: GuardedClient,
  ): Promise<string> {
    // A retry after a crash sends the same key, if the checkpoint was not saved.
    const call = { signal, idempotencyKey: `modelwire-${job.id}` };
    const sourceId = job.source?.checkpoint;
    if (job.source && sourceId === undefined) {
      throw new VideoError(
        'source_elsewhere',
        'The video to remix was created by another model, and only that model can remix it.',
      );
    }
    const video = await guarded(signal, () =>
      sourceId === undefined ? client.create(createParams(job), call) : client.remix(sourceId, remixParams(job), call),
    );
    await saveCheckpoint(video.id);
    return video.id;
  }

  function createParams({ model, prompt, width, height, seconds: length, inputReference: image }: VideoJob) {
    return {
      model: toUpstreamModel(model),
      prompt,
      // The server kit has validated both for the model.
      size: `${width}x${height}` as VideoSize,
      seconds: String(length) as VideoSeconds,
      ...(image && { input_reference: new Blob([new Uint8Array(image.bytes)], { type: image.mediaType }) }),
    };
  }

  /** Only parameters that differ from the source, because some servers accept only a prompt. */
  function remixParams(job: VideoJob): VideoRemixParams {
    const { model, prompt, size, seconds: length } = createParams(job);
    const { source } = job;
    return {
      prompt,
      ...(source?.model !== job.model && { model }),
      ...((source?.width !== job.width || source.height !== job.height) && { size }),
      ...(source?.seconds !== job.seconds && { seconds: length }),
    };
  }
}

interface WaitInit {
  readonly pollMs: number;
  readonly guarded: GuardedClient;
  readonly secrets: readonly string[];
}

/** Waits for the video, and reports its progress. */
async function waitForVideo(
  client: VideosClient,
  id: string,
  { signal, progress }: VideoContext,
  { pollMs, guarded, secrets }: WaitInit,
): Promise<void> {
  const { status, error } = await guarded(signal, (onResponse) => {
    const onUpdate = (video: Video): void => {
      onResponse();
      progress(video.progress);
    };
    return client.wait(id, { signal, pollMs, onUpdate });
  });
  if (status === 'completed') return;
  // Not validated by the client: the fields may be of any type and length.
  const fields = sanitizeFields(errorFields({ error }) ?? {}, secrets);
  throw new VideoError(
    fields.code ?? 'upstream_failed',
    fields.message ?? 'The model server failed to render the video.',
  );
}

async function copyFile(
  client: VideosClient,
  id: string,
  variant: VideoVariant,
  { context, guarded }: { readonly context: VideoContext; readonly guarded: GuardedClient },
): Promise<void> {
  const { save } = context;
  const copy = new AbortController();
  const signal = AbortSignal.any([context.signal, copy.signal]);
  try {
    const content = await guarded(context.signal, async () => {
      try {
        return await client.downloadContent(id, { variant }, { signal });
      } catch (error) {
        if (error instanceof ApiError && isMissing(variant, error.status)) return undefined;
        throw error;
      }
    });
    if (!content) return;
    const mediaType = content.headers.get('content-type')?.split(';', 1)[0]?.trim() ?? 'application/octet-stream';
    if (!content.body) throw new VideoError('upstream_malformed', 'The model server returned no video.');
    await save(variant, mediaType, content.body);
  } finally {
    // Closes the connection if the bytes were not read. The body cannot be cancelled while `save` has it locked.
    copy.abort();
  }
}

/** Some servers have no thumbnail or spritesheet. */
function isMissing(variant: string, status: number): boolean {
  return variant !== 'video' && (status === 404 || status === 400);
}

function isMissingFile({ searchParams }: URL, status: number): boolean {
  return isMissing(searchParams.get('variant') ?? 'video', status);
}

/** The error of the server becomes the error of the failed video. */
function toError(publicError: RequestError, thrown: unknown): VideoError {
  return new (isTemporary(thrown) ? VideoRetry : VideoError)(publicError.code, publicError.message, {
    cause: publicError,
  });
}

/** Whether a retry may succeed: the server is overloaded, failing, or unreachable. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError || error instanceof TimeoutError;
  const { status, code } = error;
  return status === 408 || status >= 500 || (status === 429 && code !== 'insufficient_quota');
}
