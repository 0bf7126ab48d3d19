import * as z from 'zod';
import { optionalString, requestObject, text } from '../fields/field.ts';
import { imageUrlSchema } from '../fields/image-url.ts';
import { VIDEO_PROMPT_MAX_LENGTH } from '../limits.ts';
import { orderQuery, pageQuery } from '../fields/paging.ts';

const prompt = text({ min: 1, max: VIDEO_PROMPT_MAX_LENGTH }).meta({
  description: 'What the video shows.',
  examples: ['A lighthouse in a storm'],
});

export const videoInputReferenceSchema = z
  .strictObject({
    file_id: optionalString('ID of an uploaded image.', 'file-abc123'),
    image_url: imageUrlSchema.optional().describe('URL of an image, or a data URL with the image in base64.'),
  })
  .refine(({ file_id, image_url }) => (file_id === undefined) !== (image_url === undefined), {
    error: "exactly one of 'file_id' and 'image_url'",
  })
  .meta({ id: 'VideoInputReference', description: 'An image: exactly one of `file_id` and `image_url`.' });

const model = text({ min: 1 })
  .optional()
  .meta({ description: 'ID of the video model. Default: one that this server serves.', examples: ['storyboard'] });
const seconds = z.enum(['4', '8', '12']).optional().describe('Length in seconds.');
const size = z
  .enum(['720x1280', '1280x720', '1024x1792', '1792x1024'])
  .optional()
  .describe('Width and height in pixels.');

/** Body of Create video; in a multipart form `input_reference` may be a file. */
export const videoCreateFieldsSchema = requestObject('VideoCreateFields', 'A request for a video.', {
  prompt,
  model,
  seconds: seconds.meta({ description: 'Length in seconds.', default: '4' }),
  size: size.meta({ description: 'Width and height in pixels.', default: '720x1280' }),
  input_reference: videoInputReferenceSchema.optional().describe('An image for the first frame.'),
});

/** What is not given is the source's. */
export const videoRemixParamsSchema = requestObject(
  'VideoRemixParams',
  'What changes in a remix. The rest is as in the source.',
  { prompt, model, seconds, size },
);

export const videoListQuerySchema = z.strictObject({ ...pageQuery(), ...orderQuery('desc') });

export const videoContentQuerySchema = z.strictObject({
  variant: z
    .enum(['video', 'thumbnail', 'spritesheet'])
    .optional()
    .meta({ description: 'Which of the files of the video to download.', default: 'video' }),
});
