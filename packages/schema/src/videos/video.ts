import * as z from 'zod';
import { deletionOf } from '../deletion.ts';
import { constant, id, open, timestamp } from '../field.ts';
import { listOf } from '../paging.ts';

/** The API's Video object, with what the official SDK's types add. */
export const videoSchema = z
  .looseObject({
    id: id('ID of the video.', 'video_abc123'),
    object: constant('video'),
    model: z.string().meta({ description: 'ID of the model that makes the video.', examples: ['storyboard'] }),
    status: open(['queued', 'in_progress', 'completed', 'failed'], 'State of the job.'),
    progress: z.int().meta({ description: 'Progress in per cent.', minimum: 0, examples: [40] }),
    created_at: timestamp('When the job was created.'),
    completed_at: timestamp('When it was completed. Null before.').nullable().optional(),
    expires_at: timestamp('When the content is deleted. Null before the job is completed.').nullable().optional(),
    size: open(['720x1280', '1280x720', '1024x1792', '1792x1024'], 'Width and height in pixels.'),
    seconds: open(['4', '8', '12'], 'Length in seconds.'),
    prompt: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The prompt of the job.', examples: ['A lighthouse in a storm'] }),
    remixed_from_video_id: id('ID of the source video of a remix. Null for other videos.', 'video_def456')
      .nullable()
      .optional(),
    error: z
      .looseObject({
        code: z.string().meta({ description: 'A code for programs.', examples: ['video_failed'] }),
        message: z.string().describe('What went wrong, for people.'),
      })
      .nullable()
      .optional()
      .describe('Why the job failed. Null unless it did.'),
  })
  .meta({ id: 'Video', description: 'A job that makes a video.' });

export const videoListSchema = listOf(videoSchema).meta({ id: 'VideoList', description: 'A page of video jobs.' });

export const videoDeletedSchema = deletionOf('video', { id: 'video_abc123', object: 'video.deleted' }).meta({
  id: 'VideoDeleted',
  description: 'A video that was deleted.',
});
