import * as z from 'zod';
import { text } from '../field.ts';
import { imageUrlSchema } from '../image-url.ts';
import { orderQuery, pageQuery } from '../paging.ts';

const prompt = text({ min: 1 }).describe('What the video shows.');

export const videoInputReferenceSchema = z
  .strictObject({ file_id: z.string().optional(), image_url: imageUrlSchema.optional() })
  .refine(({ file_id, image_url }) => (file_id === undefined) !== (image_url === undefined), {
    error: "exactly one of 'file_id' and 'image_url'",
  })
  .meta({ id: 'VideoInputReference' });

/** Body of Create video; in a multipart form `input_reference` may be a file. */
export const videoCreateFieldsSchema = z
  .strictObject({
    prompt,
    model: text({ min: 1 }).optional(),
    seconds: z.enum(['4', '8', '12']).optional().meta({ default: '4' }),
    size: z.enum(['720x1280', '1280x720', '1024x1792', '1792x1024']).optional().meta({ default: '720x1280' }),
    input_reference: videoInputReferenceSchema.optional().describe('An image to start from.'),
  })
  .meta({ id: 'VideoCreateFields' });

export const videoRemixParamsSchema = z.strictObject({ prompt }).meta({ id: 'VideoRemixParams' });

export const videoListQuerySchema = z.strictObject({ ...pageQuery(), ...orderQuery('desc') });

export const videoContentQuerySchema = z.strictObject({
  variant: z.enum(['video', 'thumbnail', 'spritesheet']).optional().meta({ default: 'video' }),
});
