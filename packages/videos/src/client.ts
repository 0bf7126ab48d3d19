import { createTransport, download, encodeForm, toFormFile, listPages, waitFor } from '@modelwire/core';
import type {
  ApiPromise,
  CallOptions,
  ClientOptions,
  DownloadOptions,
  Paged,
  Uploadable,
  WaitOptions,
} from '@modelwire/core';
import {
  createVideo,
  deleteVideo,
  editVideo,
  extendVideo,
  listVideos,
  remixVideo,
  retrieveVideo,
  retrieveVideoContent,
} from '@modelwire/schema/routes';
import type {
  Video,
  VideoContentParams,
  VideoCreateParams,
  VideoDeleted,
  VideoEditParams,
  VideoExtendParams,
  VideoList,
  VideoListParams,
  VideoRemixParams,
} from '@modelwire/schema/types';

/** Options of a transport, or a transport that is shared with other clients. */
export type VideosOptions = ClientOptions;

/** Parameters of Create video. */
export interface VideoCreateInput extends Omit<VideoCreateParams, 'input_reference'> {
  /** An image by its file ID or URL; or its bytes: a `Blob` or `File`, a stream (also `fs.createReadStream`), or a `Response`. */
  readonly input_reference?: VideoCreateParams['input_reference'] | Uploadable | undefined;
}

/** Parameters of Edit video: the ID of the completed video, or the bytes of any MP4 video. */
export interface VideoEditInput extends Omit<VideoEditParams, 'video'> {
  readonly video: VideoEditParams['video'] | Uploadable;
}

/** Parameters of Extend video: the ID of the completed video, or the bytes of any MP4 video. */
export interface VideoExtendInput extends Omit<VideoExtendParams, 'video'> {
  readonly video: VideoExtendParams['video'] | Uploadable;
}

/** Every method rejects only with a `ModelwireError`. */
export interface VideosClient {
  /** Creates a video job. Sent as JSON, or as a form when `input_reference` is bytes. */
  create(params: VideoCreateInput, options?: CallOptions): ApiPromise<Video>;
  /** Creates a video job from a completed video, named by `video.id` or uploaded, and a changed prompt. */
  edit(params: VideoEditInput, options?: CallOptions): ApiPromise<Video>;
  /** Creates a video job that continues a completed video, named by `video.id` or uploaded. Its `seconds` are those of both together. */
  extend(params: VideoExtendInput, options?: CallOptions): ApiPromise<Video>;
  /** Creates a video job from a completed video and a changed prompt (API: Remix video). */
  remix(videoId: string, params: VideoRemixParams, options?: CallOptions): ApiPromise<Video>;
  /** Lists videos, by default newest first: `await` one page, or iterate all videos with `for await`. */
  list(params?: VideoListParams, options?: CallOptions): Paged<VideoList>;
  /** Retrieves a video with its status and progress. */
  retrieve(videoId: string, options?: CallOptions): ApiPromise<Video>;
  /** Deletes a video, and stops rendering it. */
  delete(videoId: string, options?: CallOptions): ApiPromise<VideoDeleted>;
  /**
   * Downloads a completed video, or its thumbnail or spritesheet (`variant`), as a `Response`. The body is read on demand, and resumes
   * when the connection fails.
   */
  downloadContent(videoId: string, params?: VideoContentParams, options?: DownloadOptions): ApiPromise<Response>;
  /**
   * Polls until the video is `completed` or `failed`, and resolves with it; check its `status`. `onUpdate` receives the progress.
   * Aborting the wait does not stop the rendering.
   */
  wait(videoId: string, options?: WaitOptions<Video>): Promise<Video>;
}

/** Creates a client for videos. Throws an `InputError` for an invalid base URL. */
export function createVideos(options: VideosOptions = {}): VideosClient {
  const transport = createTransport(options);
  const retrieve: VideosClient['retrieve'] = (video_id, options) =>
    transport.request(retrieveVideo, { ...options, params: { video_id } });
  return {
    create({ input_reference: reference, ...fields }, options) {
      const body = isBytes(reference)
        ? encodeForm({ ...fields, input_reference: toFormFile(reference) })
        : { ...fields, input_reference: reference };
      return transport.request(createVideo, { ...options, body });
    },
    edit: (params, options) => transport.request(editVideo, { ...options, body: withVideo(params) }),
    extend: (params, options) => transport.request(extendVideo, { ...options, body: withVideo(params) }),
    remix: (video_id, body, options) => transport.request(remixVideo, { ...options, params: { video_id }, body }),
    list: (query, options) => listPages<VideoList>(transport, listVideos, query, options),
    retrieve,
    delete: (video_id, options) => transport.request(deleteVideo, { ...options, params: { video_id } }),
    downloadContent: (video_id, params, options) =>
      download(transport, retrieveVideoContent, { ...options, params: { video_id }, query: { ...params } }),
    wait: (videoId, options = {}) =>
      waitFor(
        (timeouts) => retrieve(videoId, { ...options, timeouts }),
        ({ status }) => status === 'completed' || status === 'failed',
        { maxPollMs: 10_000, ...options },
      ),
  };
}

/** A form if the video is uploaded. */
function withVideo({ video, ...fields }: VideoEditInput | VideoExtendInput): object {
  return isBytes(video) ? encodeForm({ ...fields, video: toFormFile(video) }) : { ...fields, video };
}

function isBytes(reference: object | undefined): reference is Uploadable {
  if (reference === undefined) return false;
  return 'stream' in reference || 'headers' in reference || Symbol.asyncIterator in reference;
}
