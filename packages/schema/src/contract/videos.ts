import { VIDEO_REFERENCE_MAX_BYTES } from '../limits.ts';
import * as routes from '../routes.ts';
import {
  videoContentQuerySchema,
  videoCreateFieldsSchema,
  videoListQuerySchema,
  videoRemixParamsSchema,
} from '../videos/requests.ts';
import { videoDeletedSchema, videoListSchema, videoSchema } from '../videos/video.ts';
import {
  objectNotFound,
  endpoint,
  form,
  json,
  idempotencyKeyInUse,
  outOfRange,
  unknownModel,
  unsupported,
  invalidState,
} from './endpoint.ts';
import type { RequestExamples } from './endpoint.ts';

const videoExamples: RequestExamples = { 'A short video': { prompt: 'A lighthouse in a storm', seconds: '4' } };
const remixExamples: RequestExamples = { 'A change': { prompt: 'The same lighthouse on a calm morning' } };

export const videoEndpoints = {
  'videos.create': endpoint('videos.create', {
    route: routes.createVideo,
    summary: 'Create a video job.',
    section: 'companion',
    request: [
      json(videoCreateFieldsSchema, videoExamples),
      form(videoCreateFieldsSchema, videoExamples, {
        name: 'input_reference',
        required: false,
        description: 'An image for the first frame: PNG, JPEG or WebP.',
        maxBytes: VIDEO_REFERENCE_MAX_BYTES,
      }),
    ],
    response: videoSchema,
    errors: [unknownModel, unsupported, idempotencyKeyInUse],
  }),
  'videos.list': endpoint('videos.list', {
    route: routes.listVideos,
    summary: 'List video jobs.',
    section: 'companion',
    query: videoListQuerySchema,
    response: videoListSchema,
  }),
  'videos.retrieve': endpoint('videos.retrieve', {
    route: routes.retrieveVideo,
    summary: 'Retrieve a video job.',
    section: 'companion',
    response: videoSchema,
    errors: [objectNotFound('video')],
  }),
  'videos.delete': endpoint('videos.delete', {
    route: routes.deleteVideo,
    summary: 'Delete a video.',
    section: 'companion',
    response: videoDeletedSchema,
    errors: [objectNotFound('video')],
  }),
  'videos.content': endpoint('videos.content', {
    route: routes.retrieveVideoContent,
    summary: 'Download the video, its thumbnail or its spritesheet.',
    section: 'companion',
    query: videoContentQuerySchema,
    response: {
      type: 'binary',
      mediaTypes: ['video/mp4', 'image/webp', 'image/jpeg'],
      description: 'MP4 for the video, WebP for the thumbnail, JPEG for the spritesheet.',
    },
    errors: [objectNotFound('video'), invalidState('The video is not completed.'), outOfRange],
  }),
  'videos.remix': endpoint('videos.remix', {
    route: routes.remixVideo,
    summary: 'Create a new video job from a completed video and a changed prompt.',
    section: 'Remix video',
    request: [json(videoRemixParamsSchema, remixExamples), form(videoRemixParamsSchema, remixExamples)],
    response: videoSchema,
    errors: [
      objectNotFound('video'),
      unknownModel,
      unsupported,
      idempotencyKeyInUse,
      invalidState('The video is not completed.'),
    ],
  }),
};
