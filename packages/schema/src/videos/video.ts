import * as z from 'zod';
import { deletionOf } from '../fields/deletion.ts';
import { constant, nullableString, openEnum, responseObject, string, timestamp } from '../fields/field.ts';
import { listOf } from '../fields/paging.ts';

/** The API's Video object, with what the official SDK's types add. */
export const videoSchema = responseObject('Video', 'A job that makes a video.', {
  id: string('ID of the video.', 'video_abc123'),
  object: constant('video'),
  model: string('ID of the model that makes the video.', 'storyboard'),
  status: openEnum(['queued', 'in_progress', 'completed', 'failed'], 'State of the job.'),
  progress: z.int().meta({ description: 'Progress in per cent.', minimum: 0, examples: [40] }),
  created_at: timestamp('When the job was created.'),
  completed_at: timestamp('When it was completed. Null before.').nullable().optional(),
  expires_at: timestamp('When the content is deleted. Null before the job is completed.').nullable().optional(),
  size: openEnum(['720x1280', '1280x720', '1024x1792', '1792x1024'], 'Width and height in pixels.'),
  seconds: openEnum(
    ['4', '8', '12'],
    'Length in seconds; of an extension, that of the source and the new part together.',
  ),
  prompt: nullableString('The prompt of the job.', 'A lighthouse in a storm'),
  remixed_from_video_id: string(
    'ID of the source video of a remix, edit or extension. Null for other videos.',
    'video_def456',
  )
    .nullable()
    .optional(),
  error: z
    .looseObject({
      code: string('Machine-readable code.', 'video_failed'),
      message: z.string().describe('Human-readable description of the problem.'),
    })
    .nullable()
    .optional()
    .describe('Why the job failed. Null unless it did.'),
});

export const videoListSchema = listOf('VideoList', 'A page of video jobs.', videoSchema);

export const videoDeletedSchema = deletionOf('video', { id: 'video_abc123', object: 'video.deleted' }).meta({
  id: 'VideoDeleted',
  description: 'A video that was deleted.',
});
