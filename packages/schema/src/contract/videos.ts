import { VIDEO_REFERENCE_MAX_BYTES } from '../limits.ts';
import * as routes from '../routes.ts';
import {
  videoContentQuerySchema,
  videoCreateFieldsSchema,
  videoListQuerySchema,
  videoRemixParamsSchema,
} from '../videos/requests.ts';
import { videoDeletedSchema, videoListSchema, videoSchema } from '../videos/video.ts';
import { absent, endpoint, form, json, unknownModel, unsupported, wrongState } from './endpoint.ts';

export const videoEndpoints = {
  'videos.create': endpoint('videos.create', {
    route: routes.createVideo,
    summary: 'Start a video job.',
    section: 'companion',
    request: [
      json(videoCreateFieldsSchema),
      form(videoCreateFieldsSchema, {
        name: 'input_reference',
        required: false,
        description: 'An image to start from.',
        maxBytes: VIDEO_REFERENCE_MAX_BYTES,
      }),
    ],
    response: videoSchema,
    errors: [unknownModel, unsupported],
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
    summary: 'Read a video job.',
    section: 'companion',
    response: videoSchema,
    errors: [absent('video')],
  }),
  'videos.delete': endpoint('videos.delete', {
    route: routes.deleteVideo,
    summary: 'Delete a video.',
    section: 'companion',
    response: videoDeletedSchema,
    errors: [absent('video')],
  }),
  'videos.content': endpoint('videos.content', {
    route: routes.retrieveVideoContent,
    summary: 'Read the video, its thumbnail or its spritesheet.',
    section: 'companion',
    query: videoContentQuerySchema,
    response: {
      type: 'binary',
      mediaTypes: ['video/mp4', 'image/webp', 'image/jpeg'],
      description: 'MP4 for the video, WebP for the thumbnail, JPEG for the spritesheet.',
    },
    errors: [absent('video'), wrongState('The video is not completed.')],
  }),
  'videos.remix': endpoint('videos.remix', {
    route: routes.remixVideo,
    summary: 'Make a new video of a completed one.',
    section: 'Remix video',
    request: [json(videoRemixParamsSchema), form(videoRemixParamsSchema)],
    response: videoSchema,
    errors: [absent('video'), unknownModel, unsupported, wrongState('The video is not completed.')],
  }),
};
