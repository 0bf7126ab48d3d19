import * as z from 'zod';
import { openEnum, optionalString, requestObject, string, text } from '../fields/field.ts';
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
/** Each model lists the values that it supports, by default those of the API. */
const lengths = ['4', '8', '12'];
const lengthPattern = /^[1-9]\d{0,3}$/;
const seconds = openEnum(lengths, 'Length in seconds, one that the model supports.', lengthPattern).optional();
const size = openEnum(
  ['720x1280', '1280x720', '1024x1792', '1792x1024'],
  'Width and height in pixels, a size that the model supports.',
  /^[1-9]\d{1,4}x[1-9]\d{1,4}$/,
).optional();

/** Body of Create video; in a multipart form `input_reference` may be a file. */
export const videoCreateFieldsSchema = requestObject('VideoCreateFields', 'A request for a video.', {
  prompt,
  model,
  seconds,
  size,
  input_reference: videoInputReferenceSchema.optional().describe('An image for the first frame.'),
});

/** What is not given is the source's. */
export const videoRemixParamsSchema = requestObject(
  'VideoRemixParams',
  'What changes in a remix. The rest is as in the source.',
  { prompt, model, seconds, size },
);

const video = z
  .strictObject({ id: string('ID of the completed video.', 'video_abc123') })
  .meta({ id: 'VideoReference', description: 'A completed video of this server.' });

/** In a multipart form `video` may be a file. */
const videoField = video.optional().describe('The completed video, if it is not sent as a file.');

/** Everything that is not given is the source's. */
export const videoEditParamsSchema = requestObject('VideoEditParams', 'What changes in an edit of a completed video.', {
  prompt,
  video,
});

/** A form for an edit. */
export const videoEditFieldsSchema = requestObject('VideoEditFields', 'What changes in an edit of a video.', {
  prompt,
  video: videoField,
});

const extensionSeconds = openEnum(
  lengths,
  'Length of the new part in seconds, one that the model supports.',
  lengthPattern,
);

/** The model and the size are the source's. */
export const videoExtendParamsSchema = requestObject('VideoExtendParams', 'How a completed video continues.', {
  prompt,
  video,
  seconds: extensionSeconds,
});

/** A form for an extension. */
export const videoExtendFieldsSchema = requestObject('VideoExtendFields', 'How a video continues.', {
  prompt,
  video: videoField,
  seconds: extensionSeconds,
});

export const videoListQuerySchema = z.strictObject({ ...pageQuery(), ...orderQuery('desc') });

export const videoContentQuerySchema = z.strictObject({
  variant: z
    .enum(['video', 'thumbnail', 'spritesheet'])
    .optional()
    .meta({ description: 'Which of the files of the video to download.', default: 'video' }),
});
