import { ApiError, ConnectionError, NotFoundError, TimeoutError } from '@modelwire/core';
import { createVideos } from '@modelwire/videos';
import type { Video, VideoRemixParams, VideoSeconds, VideoSize, VideosClient, VideoVariant } from '@modelwire/videos';
import { RequestError, VideoError, VideoRetry } from '@modelwire/ports';
import type { VideoContext, VideoEngine, VideoJob } from '@modelwire/ports';
import { checked } from './checked.ts';
import { clientFailure } from './client-failure.ts';
import { secretsOf } from './secrets.ts';

export interface UpstreamVideosOptions {
  /** Names the engine in logs, and is the `owned_by` of its models. Default: `upstream`. */
  readonly name?: string;
  /** With the version prefix, for instance `https://api.example.com/v1`. */
  readonly baseURL: string;
  /** Sent as `Authorization: Bearer …`. Never in an error or a log. */
  readonly apiKey?: string;
  /** Ids that callers use, and where they differ from all that the interface has: their names there, sizes and seconds. */
  readonly models: Readonly<Record<string, UpstreamVideoModel>>;
  /** Videos that it is asked for at once. Default 4. */
  readonly concurrency?: number;
  /** Milliseconds between two looks at a video, at first; they grow to ten seconds. Default 1000. */
  readonly pollMs?: number;
}

export interface UpstreamVideoModel {
  readonly upstreamModel?: string;
  readonly sizes?: readonly string[];
  readonly seconds?: readonly string[];
}

const sizes = ['720x1280', '1280x720', '1024x1792', '1792x1024'];
const seconds = ['4', '8', '12'];
const variants: readonly VideoVariant[] = ['video', 'thumbnail', 'spritesheet'];

/**
 * The video models of any server that has `/videos`: asked for there, looked at until they are ready, and copied into our store.
 * After a crash the same video is looked at again, not asked for once more. A remix of a video that was made there is a remix there.
 *
 * @throws a `TypeError` that names the option.
 */
export function createUpstreamVideos(options: UpstreamVideosOptions): VideoEngine {
  checked.object('options', options, ['name', 'baseURL', 'apiKey', 'models', 'concurrency', 'pollMs']);
  checked.url('baseURL', options.baseURL);
  checked.object('models', options.models);
  const { name = 'upstream', baseURL, apiKey, concurrency = 4, pollMs = 1000 } = options;
  const created = Math.floor(Date.now() / 1000);
  const models = Object.freeze(
    Object.entries(options.models).map(([id, model]) => ({
      id,
      created,
      owned_by: name,
      sizes: model.sizes ?? sizes,
      seconds: model.seconds ?? seconds,
      inputReference: true,
    })),
  );
  const client = createVideos({ baseURL, apiKey });
  const secrets = secretsOf(apiKey === undefined ? [] : ['authorization', `Bearer ${apiKey}`]);

  return {
    name,
    concurrency,
    models: () => models,
    async render(job, context) {
      let id = context.memory;
      try {
        id ??= await begin(job, context);
        await finished(client, id, context, pollMs);
        for (const variant of variants) await copy(client, id, variant, context);
      } catch (error) {
        const { reason } = context.signal as { readonly reason: unknown };
        // What it costs there ends too; when that cannot be said, it ends by itself.
        if (id !== undefined && reason instanceof VideoError) await client.delete(id).catch(() => undefined);
        context.signal.throwIfAborted();
        throw shown(clientFailure(error, { model: job.model, server: name, secrets }), passes(error));
      }
    },
  };

  async function begin(job: VideoJob, { signal, remember }: VideoContext): Promise<string> {
    // The same key when a crash came between the asking and the remembering.
    const call = { signal, idempotencyKey: `modelwire-${job.id}` };
    const from = job.source?.memory;
    if (job.source && from === undefined) {
      throw new VideoError('source_elsewhere', 'The video to remix was made by another model, which has it.');
    }
    const video = await (from === undefined
      ? client.create(params(job), call)
      : client.remix(from, remixParams(job), call));
    await remember(video.id);
    return video.id;
  }

  function params({ model, prompt, width, height, seconds: length, inputReference: image }: VideoJob) {
    return {
      model: options.models[model]?.upstreamModel ?? model,
      prompt,
      // The kit has held both against the model's own.
      size: `${width}x${height}` as VideoSize,
      seconds: String(length) as VideoSeconds,
      ...(image && { input_reference: new Blob([new Uint8Array(image.bytes)], { type: image.mediaType }) }),
    };
  }

  /** Only what is not the source's: servers that take a prompt alone are asked for nothing else. */
  function remixParams(job: VideoJob): VideoRemixParams {
    const { model, prompt, size, seconds: length } = params(job);
    const { source } = job;
    return {
      prompt,
      ...(source?.model !== job.model && { model }),
      ...((source?.width !== job.width || source.height !== job.height) && { size }),
      ...(source?.seconds !== job.seconds && { seconds: length }),
    };
  }
}

/** Waits for it, and says how far it is. */
async function finished(client: VideosClient, id: string, context: VideoContext, pollMs: number): Promise<void> {
  const { signal, progress } = context;
  const onUpdate = (video: Video): void => progress(video.progress);
  const { status, error } = await client.wait(id, { signal, pollMs, onUpdate });
  if (status === 'completed') return;
  throw new VideoError(
    error?.code ?? 'upstream_failed',
    error?.message ?? "The model's server could not make the video.",
  );
}

async function copy(
  client: VideosClient,
  id: string,
  variant: VideoVariant,
  { signal, save }: VideoContext,
): Promise<void> {
  let content: Response;
  try {
    content = await client.downloadContent(id, { variant }, { signal });
  } catch (error) {
    // Not every server has the pictures.
    const hasNone = error instanceof NotFoundError || (error instanceof ApiError && error.status === 400);
    if (variant !== 'video' && hasNone) return;
    throw error;
  }
  const mediaType = content.headers.get('content-type')?.split(';', 1)[0]?.trim() ?? 'application/octet-stream';
  if (!content.body) throw new VideoError('upstream_malformed', "The model's server sent no video.");
  await save(variant, mediaType, content.body);
}

/** A refusal there is what the caller reads of the failed video. */
function shown(error: unknown, again: boolean): unknown {
  if (!(error instanceof RequestError)) return error;
  return new (again ? VideoRetry : VideoError)(error.code, error.message, { cause: error });
}

/** Whether it may go better later: the server has no time, or is not well, or cannot be reached. */
function passes(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError || error instanceof TimeoutError;
  const { status, code } = error;
  return status === 408 || status >= 500 || (status === 429 && code !== 'insufficient_quota');
}
