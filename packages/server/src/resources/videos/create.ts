import type { Video, VideoCreateFields } from '@modelwire/schema/types';
import type { VideoContent, VideoModel, VideoWork, VideoEngine } from '@modelwire/ports';
import { admit, runAdmitted } from '../../admission/admit.ts';
import { noSlot, noTokens, notInspected } from '../../admission/work.ts';
import type { Access } from '../../admission/work.ts';
import type { Call } from '../../call.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import { unsupported, unsupportedValue, quoteAll, invalid } from '../../errors.ts';
import { requestTrace } from '../../http/observe-job-run.ts';
import type { JsonReply } from '../../http/reply.ts';
import { projectStores, singleChunk, writeBlob } from '../../media/files/storage.ts';
import { requireModel } from '../../generation/require-model.ts';
import type { ResolvedModel } from '../../models/model-registry.ts';
import type { Handlers } from '../../http/implement.ts';
import { VIDEO_REFERENCE_MAX_BYTES } from '@modelwire/schema';
import { findStoredFile, readAll } from '../../media/files/stored-file.ts';
import { checkImage, imageLimits, imageTooLarge, readImage } from '../../media/images/read-image.ts';
import type { InputLoading, LoadedImage } from '../../media/images/read-image.ts';
import type { ByteReservation } from '../../limits/byte-budget.ts';

/** POST /videos: stores the video and its job; a worker renders it. */
export const createVideo: Handlers['videos.create'] = (call, server) => {
  const { model, prompt, size, seconds, input_reference } = call.body;
  const hasReference = (input_reference ?? call.files.get('input_reference')) !== undefined;
  return submitVideo(call, server, {
    model,
    shapeFor: ({ sizes, seconds: durations }) => ({
      size: size ?? sizes[0] ?? '',
      seconds: seconds ?? durations[0] ?? '',
    }),
    prompt,
    seed: randomSeed(),
    source: undefined,
    async reference({ id, inputReference: isAccepted }, { memory }) {
      if (hasReference && !isAccepted)
        throw unsupported('input_reference', `The model '${id}' does not accept an input image.`);
      return inputReference(call, server, memory);
    },
  });
};

interface VideoRequest {
  /** As the request names it; undefined for the default model. */
  readonly model: string | undefined;
  /** What the model renders: of an extension, the new part. */
  readonly shapeFor: (model: VideoModel) => Shape;
  readonly prompt: string;
  readonly seed: number;
  /** The video that it changes, or continues: one of this server, or an upload. */
  readonly source: VideoStart | undefined;
  /** Loads the image from which the video starts; undefined if there is none. */
  readonly reference: (model: VideoModel, access: Access) => Promise<VideoContent | undefined>;
}

interface VideoStart {
  readonly id: string | null;
  readonly seconds: number;
  readonly isContinued: boolean;
  readonly upload: VideoContent | undefined;
}

/** Admits the video, stores it with its job and wakes the worker. */
export async function submitVideo(
  call: Call<unknown>,
  server: ServerContext,
  { model: requestedModel, shapeFor, prompt, seed, source, reference }: VideoRequest,
): Promise<JsonReply<Video>> {
  const admission = await admit(call, server, {
    isStored: false,
    find() {
      const { model } = resolveVideoModel(requestedModel, server);
      return {
        model: { requested: requestedModel ?? model.id, id: model.id, metered: () => model.id },
        engineModel: model,
      };
    },
    async load({ model: { requested, id }, engineModel }, access) {
      const shape = assertSupportedShape(engineModel, shapeFor(engineModel));
      const seconds = Number(shape.seconds) + (source?.isContinued === true ? source.seconds : 0);
      assertSupportedLength(engineModel, seconds);
      const work: VideoWork = {
        keyId: call.principal.keyId,
        seed,
        extensionSeconds: source?.isContinued === true ? Number(shape.seconds) : undefined,
        uploadedSource: source?.upload,
        inputReference: await reference(engineModel, access),
        ...requestTrace(call),
      };
      const video: Video = {
        id: server.createId('video_'),
        object: 'video',
        model: requested,
        status: 'queued',
        progress: 0,
        created_at: nowInSeconds(server.clock),
        completed_at: null,
        expires_at: null,
        error: null,
        remixed_from_video_id: source?.id ?? null,
        size: shape.size,
        seconds: String(seconds),
        prompt,
      };
      const cost = server.prices.costOfVideo(id, Number(shape.seconds));
      return { demand: { kind: 'cost', cost }, usage: noTokens, video, work };
    },
    inspect: notInspected,
    slot: noSlot,
  });
  return runAdmitted(admission, async ({ video, work }) => {
    await projectStores(call, server).videos.create({ video, work });
    call.logRecord.video = video.id;
    server.wakeWorker();
    return { status: 200, body: video };
  });
}

export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** The requested model, or the first one. @throws a 404 that names it. */
function resolveVideoModel(id: string | undefined, server: ServerContext): ResolvedModel<VideoEngine, VideoModel> {
  return requireModel('video', id ?? server.models.video.all()[0]?.id ?? '', server);
}

type Shape = Pick<Video, 'size' | 'seconds'>;

/** @throws a 400 that names what the model does not support. */
function assertSupportedShape(model: VideoModel, shape: Shape): Shape {
  for (const [param, value, known] of [
    ['size', shape.size, model.sizes],
    ['seconds', shape.seconds, model.seconds],
  ] as const) {
    if (known.includes(value)) continue;
    throw unsupportedValue(
      param,
      `Unsupported value: '${param}' is '${value}'; the model '${model.id}' supports ${quoteAll(known)}.`,
    );
  }
  return shape;
}

/** @throws a 400 that names the maximum. */
function assertSupportedLength({ id, maxSeconds }: VideoModel, seconds: number): void {
  if (maxSeconds === undefined || seconds <= maxSeconds) return;
  throw unsupportedValue(
    'seconds',
    `Unsupported value: 'seconds'. The video would be ${seconds} seconds long; the model '${id}' makes videos of at most ${maxSeconds} seconds.`,
  );
}

const limits = { ...imageLimits, maxBytes: VIDEO_REFERENCE_MAX_BYTES };

/** The reference image, from a file of the form, a file ID or a URL; validated, and stored for this video only. */
async function inputReference(
  call: Call<VideoCreateFields>,
  server: ServerContext,
  memory: ByteReservation,
): Promise<VideoContent | undefined> {
  const { signal } = call.client;
  const formFile = call.files.get('input_reference');
  const reference = call.body.input_reference;
  if (formFile && reference)
    throw invalid('input_reference', "Invalid 'input_reference': give a file or a reference, not both.");
  if (formFile) {
    const bytes = await readAll([formFile.segment], server, signal);
    const { mediaType } = checkImage(bytes, 'input_reference', limits);
    return { mediaType, content: [formFile.segment] };
  }
  if (!reference) return undefined;
  const loading = { call, server, memory };
  const image =
    reference.file_id === undefined
      ? await readImage(reference.image_url ?? '', 'input_reference.image_url', loading, limits)
      : await fromFile(reference.file_id, 'input_reference.file_id', loading);
  const content = [await writeBlob(server, singleChunk(image.bytes), signal)];
  return { mediaType: image.mediaType, content };
}

async function fromFile(id: string, param: string, { call, server }: InputLoading): Promise<LoadedImage> {
  const { file, content } = await findStoredFile(id, param, call, server);
  if (file.bytes > limits.maxBytes) throw imageTooLarge(param, limits.maxBytes);
  return checkImage(await readAll(content, server, call.client.signal), param, limits);
}
