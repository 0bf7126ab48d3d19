import * as z from 'zod';
import { constant } from '../field.ts';
import { isBase64, isFileData } from '../base64.ts';
import { imageUrlSchema } from '../image-url.ts';
import { CONTENT_PARTS_MAX } from '../limits.ts';

export const textPartSchema = z
  .strictObject({ type: constant('text'), text: z.string().meta({ description: 'The text.', examples: ['Hello'] }) })
  .meta({ id: 'ChatCompletionContentPartText', description: 'Text.' });

export const imagePartSchema = z
  .strictObject({
    type: constant('image_url'),
    image_url: z
      .strictObject({
        url: imageUrlSchema.meta({
          description: 'URL of an image, or a data URL with the image in base64.',
          examples: ['https://example.com/lighthouse.png'],
        }),
        detail: z
          .enum(['auto', 'low', 'high', 'original'])
          .optional()
          .meta({ description: 'Detail in which the model sees the image.', default: 'auto' }),
      })
      .describe('The image.'),
  })
  .meta({ id: 'ChatCompletionContentPartImage', description: 'An image.' });

export const inputAudioPartSchema = z
  .strictObject({
    type: constant('input_audio'),
    input_audio: z
      .strictObject({
        data: z
          .string()
          .refine((data) => isBase64(data), { error: 'base64 audio' })
          .describe('The audio in base64.'),
        format: z.enum(['wav', 'mp3']).describe('Format of the audio.'),
      })
      .describe('The audio.'),
  })
  .meta({ id: 'ChatCompletionContentPartInputAudio', description: 'Audio.' });

export const filePartSchema = z
  .strictObject({
    type: constant('file'),
    file: z
      .strictObject({
        file_data: z
          .string()
          .refine(isFileData, { error: 'the file in base64, bare or as a data URL' })
          .optional()
          .describe('The file in base64.'),
        file_id: z
          .string()
          .optional()
          .meta({ description: 'ID of an uploaded file.', examples: ['file-abc123'] }),
        filename: z
          .string()
          .optional()
          .meta({ description: 'Name of the file.', examples: ['notes.txt'] }),
      })
      .describe('The file: exactly one of `file_id` and `file_data`.'),
  })
  .meta({ id: 'ChatCompletionContentPartFile', description: 'A file.' });

export const refusalPartSchema = z
  .strictObject({ type: constant('refusal'), refusal: z.string().describe('Text with which the model refused.') })
  .meta({ id: 'ChatCompletionContentPartRefusal', description: 'A refusal.' });

/** The content of a user message. */
export const contentPartSchema = z
  .discriminatedUnion('type', [textPartSchema, imagePartSchema, inputAudioPartSchema, filePartSchema])
  .meta({ id: 'ChatCompletionContentPart', description: 'A part of the content of a user message.' });

export const assistantContentPartSchema = z.discriminatedUnion('type', [textPartSchema, refusalPartSchema]);

/** A string, or text parts. */
export const textContentSchema = z.union([z.string(), z.array(textPartSchema).min(1).max(CONTENT_PARTS_MAX)]);
