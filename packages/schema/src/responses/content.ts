import * as z from 'zod';
import { isFileData } from '../base64.ts';
import { constant } from '../field.ts';
import { imageUrlSchema } from '../image-url.ts';

const detail = z
  .enum(['auto', 'low', 'high', 'original'])
  .optional()
  .meta({ description: 'Detail in which the model sees it.', default: 'auto' });
const fileId = z
  .string()
  .optional()
  .meta({ description: 'ID of an uploaded file.', examples: ['file-abc123'] });
const breakpoint = {
  prompt_cache_breakpoint: z
    .strictObject({ mode: constant('explicit') })
    .optional()
    .describe('Has no effect.'),
};

export const responseInputTextSchema = z
  .strictObject({
    type: constant('input_text'),
    text: z.string().meta({ description: 'The text.', examples: ['Hello'] }),
    ...breakpoint,
  })
  .meta({ id: 'ResponseInputText', description: 'Text.' });

export const responseInputImageSchema = z
  .strictObject({
    type: constant('input_image'),
    image_url: imageUrlSchema.optional().meta({
      description: 'URL of an image, or a data URL with the image in base64. Exactly one of this and `file_id`.',
      examples: ['https://example.com/lighthouse.png'],
    }),
    file_id: fileId,
    detail,
    ...breakpoint,
  })
  .meta({ id: 'ResponseInputImage', description: 'An image.' });

export const responseInputFileSchema = z
  .strictObject({
    type: constant('input_file'),
    file_data: z
      .string()
      .refine(isFileData, { error: 'the file in base64, bare or as a data URL' })
      .optional()
      .describe('The file in base64, bare or as a data URL. Exactly one of this and `file_id`.'),
    file_id: fileId,
    file_url: z.string().optional().describe('Refused: this server downloads no files.'),
    filename: z
      .string()
      .optional()
      .meta({ description: 'Name of the file.', examples: ['notes.txt'] }),
    detail,
    ...breakpoint,
  })
  .meta({ id: 'ResponseInputFile', description: 'A file.' });

export const responseInputContentSchema = z
  .discriminatedUnion('type', [responseInputTextSchema, responseInputImageSchema, responseInputFileSchema])
  .meta({ id: 'ResponseInputContent', description: 'A part of an input message.' });

export const responseUrlCitationSchema = z
  .looseObject({
    type: constant('url_citation'),
    start_index: z.int().describe('First character of the text that the source supports.'),
    end_index: z.int().describe('End of that text, not included.'),
    url: z.string().meta({ description: 'Address of the page.', examples: ['https://example.com/rivers'] }),
    title: z.string().meta({ description: 'Title of the page.', examples: ['Rivers of Europe'] }),
  })
  .meta({ id: 'ResponseUrlCitation', description: 'A source of the text.' });

const topLogprobSchema = z
  .looseObject({
    token: z.string().meta({ description: 'Text of the token.', examples: ['Rhine'] }),
    logprob: z.number().meta({ description: 'Log probability of the token.', examples: [-0.31] }),
    bytes: z.array(z.int().min(0).max(255)).nullable().optional().describe('UTF-8 bytes of the token.'),
  })
  .describe('A token with its probability.');

export const responseLogprobSchema = topLogprobSchema
  .extend({ top_logprobs: z.array(topLogprobSchema).describe('The most likely tokens at this position.') })
  .meta({ id: 'ResponseLogprob', description: 'A generated token with its probability.' });

export const responseOutputTextSchema = z
  .looseObject({
    type: constant('output_text'),
    text: z.string().meta({ description: 'The text.', examples: ['The Rhine, the Danube and the Loire.'] }),
    annotations: z.array(responseUrlCitationSchema).describe('Sources of the text, after a web search.'),
    logprobs: z
      .array(responseLogprobSchema)
      .optional()
      .describe('Log probabilities. Only with `include: ["message.output_text.logprobs"]`.'),
  })
  .meta({ id: 'ResponseOutputText', description: 'Text of the model.' });

export const responseRefusalSchema = z
  .looseObject({ type: constant('refusal'), refusal: z.string().describe('Text with which the model refused.') })
  .meta({ id: 'ResponseRefusal', description: 'A refusal.' });

export const responseReasoningTextSchema = z
  .looseObject({ type: constant('reasoning_text'), text: z.string().describe('The reasoning.') })
  .meta({ id: 'ResponseReasoningText', description: 'Reasoning of the model.' });

export const responseSummaryTextSchema = z
  .looseObject({ type: constant('summary_text'), text: z.string().describe('The summary.') })
  .meta({ id: 'ResponseSummaryText', description: 'A summary of reasoning.' });
