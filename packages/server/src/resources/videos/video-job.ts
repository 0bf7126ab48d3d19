import { projectStores } from '../../media/files/storage.ts';
import { readSegments } from '../../media/files/read-segments.ts';
import type { ServerContext } from '../../context.ts';
import { BlobMissingError, ContentCorruptedError, VideoError } from '@modelwire/ports';
import type { BlobSegment, VideoJob, VideoRecord, VideoSource } from '@modelwire/ports';
import { readAll } from '../../media/files/stored-file.ts';
import type { Rendering } from './rendering.ts';

/** Maximum number of sources, each the source of the one before, that an engine receives. */
const maxSources = 32;

type RenderingJob = Pick<Rendering, 'record' | 'project' | 'recordFailure' | 'context'>;

/** The job of a video for its engine. @throws {VideoError} if its source was deleted. */
export async function videoJobOf(rendering: RenderingJob, server: ServerContext): Promise<VideoJob> {
  const { video, work } = rendering.record;
  const reference = work.inputReference;
  return {
    ...renderParametersOf(rendering.record, server),
    inputReference: reference && {
      mediaType: reference.mediaType,
      bytes: await readAll(reference.content, server, rendering.context.signal).catch((error: unknown) => {
        throw error instanceof ContentCorruptedError ? damaged('The reference image', error) : error;
      }),
    },
    uploadedSource: work.uploadedSource && {
      read: () => readUpload(work.uploadedSource?.content ?? [], rendering, server),
    },
    source: await sourceOf(video.remixed_from_video_id ?? undefined, rendering, server),
  };
}

function renderParametersOf({ video, work }: Pick<VideoRecord, 'video' | 'work'>, server: ServerContext) {
  const { id, model: requestedModel, prompt, size, seconds } = video;
  const { seed, extensionSeconds } = work;
  const model = server.models.video.find(requestedModel)?.model.id ?? requestedModel;
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { id, model, prompt: prompt ?? '', width, height, seconds: Number(seconds), seed, extensionSeconds };
}

async function sourceOf(
  id: string | undefined,
  rendering: RenderingJob,
  server: ServerContext,
  remainingSources = maxSources,
): Promise<VideoSource | undefined> {
  if (id === undefined || remainingSources === 0) return undefined;
  const record = await projectStores({ principal: { keyId: '', project: rendering.project } }, server).videos.get(id);
  if (!record) {
    // The first one is the source of the video; earlier ones may have been deleted.
    if (remainingSources < maxSources) return undefined;
    throw sourceDeleted();
  }
  const { video, contents, checkpoint } = record;
  return {
    ...renderParametersOf(record, server),
    checkpoint,
    source: await sourceOf(video.remixed_from_video_id ?? undefined, rendering, server, remainingSources - 1),
    async *read(variant) {
      const content = contents[variant]?.content;
      if (!content) throw new VideoError('source_deleted', `The source video has no ${variant}.`);
      try {
        yield* readSegments(server, content);
      } catch (error) {
        if (error instanceof BlobMissingError) throw sourceDeleted();
        if (error instanceof ContentCorruptedError) throw damaged('The source video', error);
        rendering.recordFailure(error);
        throw error;
      }
    },
  };
}

async function* readUpload(
  content: readonly BlobSegment[],
  rendering: RenderingJob,
  server: ServerContext,
): AsyncGenerator<Uint8Array> {
  try {
    yield* readSegments(server, content);
  } catch (error) {
    if (error instanceof ContentCorruptedError) throw damaged('The source video', error);
    rendering.recordFailure(error);
    throw error;
  }
}

/** Another attempt would read the same bytes. */
const damaged = (what: string, cause: ContentCorruptedError): VideoError =>
  new VideoError('content_corrupted', `${what} is damaged in the storage.`, { cause });

const sourceDeleted = (): VideoError => new VideoError('source_deleted', 'The source video was deleted.');
