import { ApiError, asJson, ConnectionError, createTransport, encodeForm, TimeoutError } from '@modelwire/core';
import type { CallOptions, FormFields, Transport } from '@modelwire/core';
import { createVideo, editVideo, extendVideo } from '@modelwire/schema/routes';
import { createVideos } from '@modelwire/videos';
import type { Video, VideoRemixParams, VideosClient, VideoVariant } from '@modelwire/videos';
import { RequestError, VideoError, VideoRetry } from '@modelwire/ports';
import type { VideoContext, VideoEngine, VideoJob, VideoSource } from '@modelwire/ports';
import { optionChecks } from '../presets/option-checks.ts';
import type { CircuitBreakerOptions, CircuitBreakers } from '../attempts/circuit-breakers.ts';
import { errorFields } from '../replies/error-body.ts';
import { sanitizeFields } from '../attempts/failures.ts';
import { guardClient } from '../guarded-client.ts';
import type { GuardedClient } from '../guarded-client.ts';
import { observedFetch } from '../observed-fetch.ts';
import { extractSecrets } from '../requests/secrets.ts';
import { resolveCircuitBreakers } from '../presets/settings.ts';
import { videoPresets } from './video-presets.ts';
import type { VideoPreset, VideoPresetName } from './video-presets.ts';

export interface UpstreamVideosOptions {
  /** Name of the engine in logs, and `owned_by` of its models. Default: `upstream`. */
  readonly name?: string;
  /** With the version prefix, for instance `https://api.example.com/v1`. */
  readonly baseURL: string;
  /** Sent as `Authorization: Bearer …`. Never in an error or a log. */
  readonly apiKey?: string;
  /** The kind of server. Default: `hosted`, which is also that of another Modelwire. */
  readonly preset?: VideoPresetName;
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
  /**
   * Downloads a video from the URL at which the server has stored it, for servers that store videos elsewhere: `remoteVideos` of
   * `@modelwire/server/remote-videos`. Without it, such a video fails.
   */
  readonly download?: DownloadVideo;
}

/** Rejects with a `VideoError`, or with a `VideoRetry` for a temporary failure. */
export type DownloadVideo = (url: string, init: { readonly signal: AbortSignal }) => Promise<DownloadedVideo>;

export interface DownloadedVideo {
  readonly mediaType: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface UpstreamVideoModel {
  readonly upstreamModel?: string;
  /** `<width>x<height>`, the default first. Default: those of the API. */
  readonly sizes?: readonly string[];
  /** The default first. Default: `4`, `8`, `12`. */
  readonly seconds?: readonly string[];
  /** Maximum length of a video with its extensions. Default: 120 with the preset `hosted`, otherwise unlimited. */
  readonly maxSeconds?: number;
  /** Whether it starts from an image. Default true. */
  readonly inputReference?: boolean;
  /** Whether it remixes a video. Default: whether the server has `/remix`. With `vllm-omni` and `sglang` it receives the source as input. */
  readonly remix?: boolean;
  /** Whether it continues a video. Default: whether the server has `/videos/extensions`. */
  readonly extend?: boolean;
  /** Fields of each request for a video, such as `fps`, `num_inference_steps` or `extra_params`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

const modelOptions = [
  ...['upstreamModel', 'sizes', 'seconds', 'maxSeconds', 'inputReference', 'remix', 'extend', 'parameters'],
];
const defaultSizes = ['720x1280', '1280x720', '1024x1792', '1792x1024'];
const defaultSeconds = ['4', '8', '12'];
/** Maximum size of a video that is sent as the source of a remix. */
const maxSourceBytes = 256 * 1024 ** 2;

/**
 * The video models of any server with `/videos`: creates the video there, polls until it is ready, and copies its files. After a crash it
 * continues to poll the same video. A remix of a video of this server is a remix there, or a video that starts from it; an extension is one there.
 *
 * @throws a `TypeError` that names the option.
 */
export function createUpstreamVideos(options: UpstreamVideosOptions): VideoEngine {
  optionChecks.object('options', options, [
    'name',
    'baseURL',
    'apiKey',
    'preset',
    'models',
    'concurrency',
    'pollMs',
    'circuitBreaker',
    'download',
  ]);
  optionChecks.url('baseURL', options.baseURL);
  optionChecks.object('models', options.models);
  const { name = 'upstream', baseURL, apiKey, concurrency = 4, pollMs = 1000, download } = options;
  const preset = presetOf(options.preset ?? 'hosted');
  const created = Math.floor(Date.now() / 1000);
  const models = Object.freeze(
    Object.entries(options.models).map(([id, model]) => {
      optionChecks.object(`models.${id}`, model, modelOptions);
      if (model.remix === true && !preset.remix && preset.sourceField === undefined)
        optionChecks.fail(`models.${id}.remix`, `is not possible with the preset '${options.preset ?? 'hosted'}'`);
      if (model.extend === true && !preset.remix)
        optionChecks.fail(`models.${id}.extend`, `is not possible with the preset '${options.preset ?? 'hosted'}'`);
      if (model.maxSeconds !== undefined) optionChecks.integer(`models.${id}.maxSeconds`, model.maxSeconds, 1);
      const { seconds = defaultSeconds, maxSeconds = preset.maxSeconds } = model;
      const longer = seconds.find((length) => maxSeconds !== undefined && Number(length) > maxSeconds);
      if (longer !== undefined)
        optionChecks.fail(`models.${id}.seconds`, `has '${longer}', which is more than maxSeconds (${maxSeconds})`);
      return {
        id,
        created,
        owned_by: name,
        sizes: model.sizes ?? defaultSizes,
        seconds,
        maxSeconds,
        inputReference: model.inputReference ?? true,
        remix: model.remix ?? preset.remix,
        extend: model.extend ?? preset.remix,
        videoInput: preset.remix || preset.sourceField !== undefined,
      };
    }),
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
      const transport = createTransport({ baseURL, apiKey, fetch });
      if (preset.inReply === true) await renderInReply(transport, job, context, guarded);
      else await renderThere(transport, job, context, guarded);
    },
  };

  /** Creates the video, unless it was created before, waits for it and copies its files. */
  async function renderThere(transport: Transport, job: VideoJob, context: VideoContext, guarded: GuardedClient) {
    const client = createVideos(transport);
    let id = context.checkpoint === forgotten ? undefined : context.checkpoint;
    try {
      id ??= await create(transport, client, job, context, guarded);
      const video = await waitForVideo(client, id, context, { pollMs, guarded, secrets });
      const url = preset.storesElsewhere === true ? storedURL(video) : undefined;
      if (url !== undefined && download) await saveContent('video', context, (signal) => download(url, { signal }));
      else for (const variant of preset.variants) await copyFile(client, id, variant, { context, guarded, preset });
    } catch (error) {
      const { reason } = context.signal as { readonly reason: unknown };
      // Cancels the video at the server to save its cost. If this fails, the video ends by itself.
      const isOver = reason instanceof VideoError || reason instanceof RequestError;
      if (id !== undefined && isOver) await client.delete(id).catch(() => undefined);
      context.signal.throwIfAborted();
      if (!(preset.forgets === true && error instanceof MissingVideo)) throw error;
      await context.saveCheckpoint(forgotten);
      throw new VideoRetry('upstream_lost_video', 'The model server lost the video.', { cause: error });
    }
  }

  async function create(
    transport: Transport,
    client: VideosClient,
    job: VideoJob,
    { signal, saveCheckpoint }: VideoContext,
    guarded: GuardedClient,
  ): Promise<string> {
    // A retry after a crash sends the same key, if the checkpoint was not saved.
    const call = { signal, idempotencyKey: `modelwire-${job.id}` };
    const isDerived = job.source !== undefined || job.uploadedSource !== undefined;
    const request =
      preset.remix && isDerived ? await derivation(transport, client, job, call) : await creation(transport, job, call);
    const video = await guarded(signal, request);
    await saveCheckpoint(video.id);
    return video.id;
  }

  /** A remix or an extension of a video there, or of an upload. */
  async function derivation(
    transport: Transport,
    client: VideosClient,
    job: VideoJob,
    call: CallOptions,
  ): Promise<() => Promise<Video>> {
    const { prompt, extensionSeconds, source, uploadedSource } = job;
    const isExtension = extensionSeconds !== undefined;
    const extension = { prompt, seconds: String(extensionSeconds) };
    if (uploadedSource) {
      const video = fileOf('video', 'video/mp4', await readAll(uploadedSource.read()));
      const body = encodeForm({ ...(isExtension ? extension : { prompt }), video });
      return () => transport.request<Video>(isExtension ? extendVideo : editVideo, { ...call, body });
    }
    const id = upstreamVideoId(source);
    if (isExtension) return () => client.extend({ ...extension, video: { id } }, call);
    return () => client.remix(id, remixParams(job), call);
  }

  async function creation(transport: Transport, job: VideoJob, call: CallOptions): Promise<() => Promise<Video>> {
    const body = await createBody(job);
    return () => transport.request<Video>(createVideo, { ...call, body });
  }

  function fieldsOf({ model, prompt, width, height, seconds }: VideoJob) {
    return { model: toUpstreamModel(model), prompt, size: `${width}x${height}`, seconds: String(seconds) };
  }

  /** JSON, or a form for files. */
  async function createBody(job: VideoJob): Promise<object> {
    const { inputReference: image, seed } = job;
    const source = sourceBytes(job);
    const files: Record<string, Blob> = {};
    if (image) files['input_reference'] = fileOf('image', image.mediaType, [new Uint8Array(image.bytes)]);
    if (source && preset.sourceField !== undefined)
      files[preset.sourceField] = fileOf('video', 'video/mp4', await readAll(source));
    const fields = {
      ...options.models[job.model]?.parameters,
      ...fieldsOf(job),
      ...(preset.seed === true && { seed }),
    };
    const isForm = preset.onlyForms === true || Object.keys(files).length > 0;
    return isForm ? encodeForm({ ...formFields(fields), ...files }) : fields;
  }

  /** Only parameters that differ from the source, because some servers accept only a prompt. */
  function remixParams(job: VideoJob): VideoRemixParams {
    const { model, prompt, size, seconds: length } = fieldsOf(job);
    const { source } = job;
    return {
      prompt,
      ...(source?.model !== job.model && { model }),
      ...((source?.width !== job.width || source.height !== job.height) && { size }),
      ...(source?.seconds !== job.seconds && { seconds: length }),
    };
  }

  /** Creates the video with one request, whose reply has it. */
  async function renderInReply(
    transport: Transport,
    job: VideoJob,
    { signal, save }: VideoContext,
    guarded: GuardedClient,
  ): Promise<void> {
    const { inputReference: image, seed } = job;
    const { parameters = {} } = options.models[job.model] ?? {};
    const body = {
      ...parameters,
      ...fieldsOf(job),
      seconds: job.seconds,
      response_format: 'b64_json',
      nvext: { seed, ...(parameters['nvext'] as object | undefined) },
      ...(image && {
        input_reference: `data:${image.mediaType};base64,${Buffer.from(image.bytes).toString('base64')}`,
      }),
    };
    // It renders as long as the request is open; the server kit limits how long a video may take.
    const timeouts = { headers: 0, total: 0 };
    const reply = await guarded(signal, () =>
      transport.request(createVideo, { signal, timeouts, maxRetries: 0, body }, asJson<unknown>()),
    );
    const { status, error, data } = reply as { readonly status?: unknown; readonly error?: unknown; data?: unknown };
    if (status === 'failed') throw failedThere(error, secrets);
    const [made] = Array.isArray(data) ? (data as readonly unknown[]) : [];
    const base64 = (made as { readonly b64_json?: unknown } | undefined)?.b64_json;
    if (typeof base64 !== 'string' || base64 === '')
      throw new VideoError('upstream_malformed', 'The model server returned no video.');
    await save('video', 'video/mp4', new Blob([Buffer.from(base64, 'base64')]).stream());
  }
}

function presetOf(name: VideoPresetName): VideoPreset {
  if (!Object.hasOwn(videoPresets, name))
    optionChecks.fail('preset', `must be one of ${Object.keys(videoPresets).join(', ')}`);
  return videoPresets[name];
}

/** The checkpoint of a video that the server has lost. */
const forgotten = '';

function upstreamVideoId(source: VideoSource | undefined): string {
  if (source?.checkpoint !== undefined) return source.checkpoint;
  throw new VideoError(
    'source_elsewhere',
    'The source video was created by another model, and only that model can change or continue it.',
  );
}

/** Servers determine the kind of a file from its name or its media type. */
function fileOf(name: string, mediaType: string, bytes: readonly Uint8Array<ArrayBuffer>[]): File {
  return new File([...bytes], `${name}.${mediaType.split('/')[1] ?? 'bin'}`, { type: mediaType });
}

function sourceBytes({ source, uploadedSource }: VideoJob): AsyncIterable<Uint8Array> | undefined {
  return uploadedSource?.read() ?? source?.read('video');
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.byteLength;
    if (bytes > maxSourceBytes)
      throw new VideoError('source_too_large', 'The source video is too large for this model.');
    pieces.push(new Uint8Array(piece));
  }
  return pieces;
}

/** Objects and arrays are JSON in a form. */
function formFields(fields: Readonly<Record<string, unknown>>): FormFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

interface WaitInit {
  readonly pollMs: number;
  readonly guarded: GuardedClient;
  readonly secrets: readonly string[];
}

/** Waits for the completed video, and reports its progress. */
async function waitForVideo(
  client: VideosClient,
  id: string,
  { signal, progress }: VideoContext,
  { pollMs, guarded, secrets }: WaitInit,
): Promise<Partial<Video>> {
  const ended = await guarded(signal, async (onResponse) => {
    const onUpdate = (video: Video): void => {
      onResponse();
      progress(video.progress);
    };
    try {
      return await client.wait(id, { signal, pollMs, onUpdate });
    } catch (thrown) {
      const video = thrown instanceof ApiError ? (thrown.body as Partial<Video> | null | undefined) : undefined;
      if (video?.status !== 'failed') throw thrown;
      return video;
    }
  });
  if (ended.status !== 'completed') throw failedThere(ended.error, secrets);
  return ended;
}

/** Where the server has stored the video, if it does not serve it itself. */
function storedURL(video: Partial<Video>): string | undefined {
  return 'url' in video && typeof video.url === 'string' ? video.url : undefined;
}

/** The error that the server reports for a video. Not validated by the client: the fields may be of any type and length. */
function failedThere(error: unknown, secrets: readonly string[]): VideoError {
  const fields = sanitizeFields(errorFields({ error }) ?? {}, secrets);
  return new VideoError(
    fields.code ?? 'upstream_failed',
    fields.message ?? 'The model server failed to render the video.',
  );
}

interface CopyInit {
  readonly context: VideoContext;
  readonly guarded: GuardedClient;
  readonly preset: VideoPreset;
}

async function copyFile(
  client: VideosClient,
  id: string,
  variant: VideoVariant,
  { context, guarded, preset }: CopyInit,
) {
  const params = preset.variants.length > 1 ? { variant } : {};
  await saveContent(variant, context, (signal) =>
    guarded(context.signal, async () => {
      try {
        return contentOf(await client.downloadContent(id, params, { signal }));
      } catch (error) {
        if (error instanceof ApiError && isMissing(variant, error.status)) return undefined;
        throw error;
      }
    }),
  );
}

function contentOf({ headers, body }: Response): DownloadedVideo {
  if (!body) throw new VideoError('upstream_malformed', 'The model server returned no video.');
  return { mediaType: headers.get('content-type') ?? 'application/octet-stream', bytes: body };
}

/** Saves what `open` returns; nothing if there is nothing. */
async function saveContent(
  variant: VideoVariant,
  context: VideoContext,
  open: (signal: AbortSignal) => Promise<DownloadedVideo | undefined>,
): Promise<void> {
  const copy = new AbortController();
  try {
    const content = await open(AbortSignal.any([context.signal, copy.signal]));
    if (!content) return;
    const [mediaType = ''] = content.mediaType.split(';', 1);
    await context.save(variant, mediaType.trim(), content.bytes);
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

/** The server does not know the video, or has lost its file. */
class MissingVideo extends VideoError {}

/** The error of the server becomes the error of the failed video. */
function toError(publicError: RequestError, thrown: unknown): VideoError {
  const { code, message } = publicError;
  const init = { cause: publicError };
  if (isTemporary(thrown)) return new VideoRetry(code, message, init);
  const isUnknown = thrown instanceof ApiError && thrown.status === 404;
  return new (isUnknown ? MissingVideo : VideoError)(code, message, init);
}

/** Whether a retry may succeed: the server is overloaded, failing, or unreachable. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError || error instanceof TimeoutError;
  const { status, code } = error;
  return status === 408 || status >= 500 || (status === 429 && code !== 'insufficient_quota');
}
