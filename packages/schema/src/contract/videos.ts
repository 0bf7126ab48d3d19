import { VIDEO_REFERENCE_MAX_BYTES } from '../limits.ts';
import * as routes from '../routes.ts';
import {
  videoContentQuerySchema,
  videoCreateFieldsSchema,
  videoEditFieldsSchema,
  videoEditParamsSchema,
  videoExtendFieldsSchema,
  videoExtendParamsSchema,
  videoListQuerySchema,
  videoRemixParamsSchema,
} from '../videos/requests.ts';
import { videoDeletedSchema, videoListSchema, videoSchema } from '../videos/video.ts';
import { binary, endpoint, endpoints, form, json } from './endpoint.ts';
import type { FileField, RequestExamples } from './endpoint.ts';
import * as errors from './errors.ts';

const sourceErrors = [
  errors.unknownModel,
  errors.unsupported,
  errors.idempotencyKeyInUse,
  errors.invalidState('The video is not completed.'),
];

const sourceFile: FileField = { name: 'video', required: false, description: 'An MP4 video to start from.' };

const videoExamples: RequestExamples = { 'A short video': { prompt: 'A lighthouse in a storm', seconds: '4' } };
const editExamples: RequestExamples = {
  'A change': { video: { id: 'video_abc123' }, prompt: 'The same lighthouse on a calm morning' },
};
const extendExamples: RequestExamples = {
  'Four more seconds': { video: { id: 'video_abc123' }, prompt: 'The storm passes', seconds: '4' },
};
const remixExamples: RequestExamples = { 'A change': { prompt: 'The same lighthouse on a calm morning' } };

export const videoEndpoints = endpoints(
  {
    'videos.create': endpoint(routes.createVideo, 'Create a video job.', videoSchema, {
      access: 'infer',
      request: [
        json(videoCreateFieldsSchema, videoExamples),
        form(videoCreateFieldsSchema, videoExamples, {
          name: 'input_reference',
          required: false,
          description: 'An image for the first frame: PNG, JPEG or WebP.',
          maxBytes: VIDEO_REFERENCE_MAX_BYTES,
        }),
      ],
      errors: [errors.unknownModel, errors.unsupported, errors.idempotencyKeyInUse],
    }),
    'videos.list': endpoint(routes.listVideos, 'List video jobs.', videoListSchema, { query: videoListQuerySchema }),
    'videos.retrieve': endpoint(routes.retrieveVideo, 'Retrieve a video job.', videoSchema, { access: 'result' }),
    'videos.delete': endpoint(routes.deleteVideo, 'Delete a video.', videoDeletedSchema),
    'videos.content': endpoint(
      routes.retrieveVideoContent,
      'Download the video, its thumbnail or its spritesheet.',
      binary(
        ['video/mp4', 'image/webp', 'image/jpeg'],
        'MP4 for the video, WebP for the thumbnail, JPEG for the spritesheet.',
      ),
      {
        access: 'result',
        query: videoContentQuerySchema,
        errors: [errors.invalidState('The video is not completed.'), errors.outOfRange],
      },
    ),
    'videos.edit': endpoint(
      routes.editVideo,
      'Create a new video job from a completed video, named in the body, and a changed prompt.',
      videoSchema,
      {
        access: 'infer',
        request: [json(videoEditParamsSchema, editExamples), form(videoEditFieldsSchema, editExamples, sourceFile)],
        errors: sourceErrors,
      },
    ),
    'videos.extend': endpoint(
      routes.extendVideo,
      'Create a new video job that continues a completed video, named in the body.',
      videoSchema,
      {
        access: 'infer',
        request: [
          json(videoExtendParamsSchema, extendExamples),
          form(videoExtendFieldsSchema, extendExamples, sourceFile),
        ],
        errors: sourceErrors,
      },
    ),
    'videos.remix': endpoint(
      routes.remixVideo,
      'Create a new video job from a completed video and a changed prompt.',
      videoSchema,
      {
        section: 'Remix video',
        access: 'infer',
        request: [json(videoRemixParamsSchema, remixExamples), form(videoRemixParamsSchema, remixExamples)],
        errors: sourceErrors,
      },
    ),
  },
  ['stores', 'blobs', 'videos'],
);
