import * as z from 'zod';
import { open, timestamp } from '../field.ts';
import { listOf } from '../paging.ts';

/** The interface's Video object, with what the official SDK's types add. */
export const videoSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('video'),
    model: z.string(),
    status: open(['queued', 'in_progress', 'completed', 'failed']),
    progress: z.int().describe('Per cent.'),
    created_at: timestamp(),
    completed_at: timestamp().nullable().optional(),
    expires_at: timestamp().nullable().optional(),
    size: open(['720x1280', '1280x720', '1024x1792', '1792x1024']),
    seconds: open(['4', '8', '12']),
    prompt: z.string().nullable().optional(),
    remixed_from_video_id: z.string().nullable().optional(),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullable().optional(),
  })
  .meta({ id: 'Video' });

export const videoListSchema = listOf(videoSchema).meta({ id: 'VideoList' });

export const videoDeletedSchema = z
  .looseObject({ id: z.string(), object: z.literal('video.deleted'), deleted: z.boolean() })
  .meta({ id: 'VideoDeleted' });
