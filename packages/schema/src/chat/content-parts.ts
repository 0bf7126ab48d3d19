import * as z from 'zod';
import { constant, optionalString, requestObject, string } from '../fields/field.ts';
import { isAudioData, isFileData } from '../data-url/inline-data.ts';
import { imageUrlSchema } from '../fields/image-url.ts';
import { promptCacheBreakpoint } from '../fields/prompt-cache.ts';
import { CONTENT_PARTS_MAX } from '../limits.ts';

export const textPartSchema = requestObject('ChatCompletionContentPartText', 'Text.', {
  type: constant('text'),
  text: string('The text.', 'Hello'),
  ...promptCacheBreakpoint,
});

export const imagePartSchema = requestObject('ChatCompletionContentPartImage', 'An image.', {
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
  ...promptCacheBreakpoint,
});

export const inputAudioPartSchema = requestObject('ChatCompletionContentPartInputAudio', 'Audio.', {
  type: constant('input_audio'),
  input_audio: z
    .strictObject({
      data: z
        .string()
        .refine(isAudioData, { error: 'audio in base64, bare or as a data URL' })
        .describe('The audio in base64, bare or as a data URL.'),
      format: z.enum(['wav', 'mp3']).describe('Format of the audio.'),
    })
    .describe('The audio.'),
  ...promptCacheBreakpoint,
});

export const filePartSchema = requestObject('ChatCompletionContentPartFile', 'A file.', {
  type: constant('file'),
  file: z
    .strictObject({
      file_data: z
        .string()
        .refine(isFileData, { error: 'the file in base64, bare or as a data URL' })
        .optional()
        .describe('The file in base64.'),
      file_id: optionalString('ID of an uploaded file.', 'file-abc123'),
      filename: optionalString('Name of the file.', 'notes.txt'),
    })
    .describe('The file: exactly one of `file_id` and `file_data`.'),
  ...promptCacheBreakpoint,
});

export const refusalPartSchema = requestObject('ChatCompletionContentPartRefusal', 'A refusal.', {
  type: constant('refusal'),
  refusal: z.string().describe('Text with which the model refused.'),
});

/** The content of a user message. */
export const contentPartSchema = z
  .discriminatedUnion('type', [textPartSchema, imagePartSchema, inputAudioPartSchema, filePartSchema])
  .meta({ id: 'ChatCompletionContentPart', description: 'A part of the content of a user message.' });

export const assistantContentPartSchema = z.discriminatedUnion('type', [textPartSchema, refusalPartSchema]);

/** A string, or text parts. */
export const textContentSchema = z.union([z.string(), z.array(textPartSchema).min(1).max(CONTENT_PARTS_MAX)]);
