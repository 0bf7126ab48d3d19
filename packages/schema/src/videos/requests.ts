import * as z from 'zod';
import { text } from '../field.ts';
import { imageUrlSchema } from '../image-url.ts';
import { VIDEO_PROMPT_MAX_LENGTH } from '../limits.ts';
import { orderQuery, pageQuery } from '../paging.ts';

const prompt = text({ min: 1, max: VIDEO_PROMPT_MAX_LENGTH }).describe('What the video shows.');

export const videoInputReferenceSchema = z
  .strictObject({ file_id: z.string().optional(), image_url: imageUrlSchema.optional() })
  .refine(({ file_id, image_url }) => (file_id === undefined) !== (image_url === undefined), {
    error: "exactly one of 'file_id' and 'image_url'",
  })
  .meta({ id: 'VideoInputReference' });

const seconds = z.enum(['4', '8', '12']).optional();
const size = z.enum(['720x1280', '1280x720', '1024x1792', '1792x1024']).optional();

/** Body of Create video; in a multipart form `input_reference` may be a file. */
export const videoCreateFieldsSchema = z
  .strictObject({
    prompt,
    model: text({ min: 1 }).optional(),
    seconds: seconds.meta({ default: '4' }),
    size: size.meta({ default: '720x1280' }),
    input_reference: videoInputReferenceSchema.optional().describe('An image to start from.'),
  })
  .meta({ id: 'VideoCreateFields' });

/** What is not given is the source's. */
export const videoRemixParamsSchema = z
  .strictObject({ prompt, model: text({ min: 1 }).optional(), seconds, size })
  .meta({ id: 'VideoRemixParams' });

export const videoListQuerySchema = z.strictObject({ ...pageQuery(), ...orderQuery('desc') });

export const videoContentQuerySchema = z.strictObject({
  variant: z.enum(['video', 'thumbnail', 'spritesheet']).optional().meta({ default: 'video' }),
});
