import * as z from 'zod';
import { isBase64, isFileData } from '../base64.ts';
import { imageUrlSchema } from '../image-url.ts';
import { CONTENT_PARTS_MAX } from '../limits.ts';

export const textPartSchema = z
  .strictObject({ type: z.literal('text'), text: z.string() })
  .meta({ id: 'ChatCompletionContentPartText' });

export const imagePartSchema = z
  .strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({
      url: imageUrlSchema.describe('URL of an image, or a data URL with the image in base64.'),
      detail: z.enum(['auto', 'low', 'high', 'original']).optional().meta({ default: 'auto' }),
    }),
  })
  .meta({ id: 'ChatCompletionContentPartImage' });

export const inputAudioPartSchema = z
  .strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({
      data: z
        .string()
        .refine((data) => isBase64(data), { error: 'base64 audio' })
        .describe('Base64 audio.'),
      format: z.enum(['wav', 'mp3']),
    }),
  })
  .meta({ id: 'ChatCompletionContentPartInputAudio' });

export const filePartSchema = z
  .strictObject({
    type: z.literal('file'),
    file: z
      .strictObject({
        file_data: z
          .string()
          .refine(isFileData, { error: 'the file in base64, bare or as a data URL' })
          .optional()
          .describe('The file in base64.'),
        file_id: z.string().optional().describe('Id of an uploaded file.'),
        filename: z.string().optional(),
      })
      .describe('Exactly one of `file_id` and `file_data`.'),
  })
  .meta({ id: 'ChatCompletionContentPartFile' });

export const refusalPartSchema = z
  .strictObject({ type: z.literal('refusal'), refusal: z.string() })
  .meta({ id: 'ChatCompletionContentPartRefusal' });

/** What a user message may hold. */
export const contentPartSchema = z
  .discriminatedUnion('type', [textPartSchema, imagePartSchema, inputAudioPartSchema, filePartSchema])
  .meta({ id: 'ChatCompletionContentPart' });

export const assistantContentPartSchema = z.discriminatedUnion('type', [textPartSchema, refusalPartSchema]);

/** A string, or text parts. */
export const textContentSchema = z.union([z.string(), z.array(textPartSchema).min(1).max(CONTENT_PARTS_MAX)]);
