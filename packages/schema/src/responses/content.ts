import * as z from 'zod';
import { isFileData } from '../data-url/inline-data.ts';
import { constant, optionalString, requestObject, responseObject, string } from '../fields/field.ts';
import { imageUrlSchema } from '../fields/image-url.ts';
import { promptCacheBreakpoint } from '../fields/prompt-cache.ts';

const detail = z
  .enum(['auto', 'low', 'high', 'original'])
  .optional()
  .meta({ description: 'Detail in which the model sees it.', default: 'auto' });
const fileId = optionalString('ID of an uploaded file.', 'file-abc123');

export const responseInputTextSchema = requestObject('ResponseInputText', 'Text.', {
  type: constant('input_text'),
  text: string('The text.', 'Hello'),
  ...promptCacheBreakpoint,
});

export const responseInputImageSchema = requestObject('ResponseInputImage', 'An image.', {
  type: constant('input_image'),
  image_url: imageUrlSchema.optional().meta({
    description: 'URL of an image, or a data URL with the image in base64. Exactly one of this and `file_id`.',
    examples: ['https://example.com/lighthouse.png'],
  }),
  file_id: fileId,
  detail,
  ...promptCacheBreakpoint,
});

export const responseInputFileSchema = requestObject('ResponseInputFile', 'A file.', {
  type: constant('input_file'),
  file_data: z
    .string()
    .refine(isFileData, { error: 'the file in base64, bare or as a data URL' })
    .optional()
    .describe('The file in base64, bare or as a data URL. Exactly one of this and `file_id`.'),
  file_id: fileId,
  file_url: z.string().optional().describe('Refused: this server downloads no files.'),
  filename: optionalString('Name of the file.', 'notes.txt'),
  detail,
  ...promptCacheBreakpoint,
});

export const responseInputContentSchema = z
  .discriminatedUnion('type', [responseInputTextSchema, responseInputImageSchema, responseInputFileSchema])
  .meta({ id: 'ResponseInputContent', description: 'A part of an input message.' });

export const responseUrlCitationSchema = responseObject('ResponseUrlCitation', 'A source of the text.', {
  type: constant('url_citation'),
  start_index: z.int().describe('First character of the text that the source supports.'),
  end_index: z.int().describe('End of that text, not included.'),
  url: string('Address of the page.', 'https://example.com/rivers'),
  title: string('Title of the page.', 'Rivers of Europe'),
});

const topLogprobSchema = z
  .looseObject({
    token: string('Text of the token.', 'Rhine'),
    logprob: z.number().meta({ description: 'Log probability of the token.', examples: [-0.31] }),
    bytes: z.array(z.int().min(0).max(255)).nullable().optional().describe('UTF-8 bytes of the token.'),
  })
  .describe('A token with its probability.');

export const responseLogprobSchema = topLogprobSchema
  .extend({ top_logprobs: z.array(topLogprobSchema).describe('The most likely tokens at this position.') })
  .meta({ id: 'ResponseLogprob', description: 'A generated token with its probability.' });

export const responseOutputTextSchema = responseObject('ResponseOutputText', 'Text of the model.', {
  type: constant('output_text'),
  text: string('The text.', 'The Rhine, the Danube and the Loire.'),
  annotations: z.array(responseUrlCitationSchema).describe('Sources of the text, after a web search.'),
  logprobs: z
    .array(responseLogprobSchema)
    .optional()
    .describe('Log probabilities. Only with `include: ["message.output_text.logprobs"]`.'),
});

export const responseRefusalSchema = responseObject('ResponseRefusal', 'A refusal.', {
  type: constant('refusal'),
  refusal: z.string().describe('Text with which the model refused.'),
});

export const responseReasoningTextSchema = responseObject('ResponseReasoningText', 'Reasoning of the model.', {
  type: constant('reasoning_text'),
  text: z.string().describe('The reasoning.'),
});

export const responseSummaryTextSchema = responseObject('ResponseSummaryText', 'A summary of reasoning.', {
  type: constant('summary_text'),
  text: z.string().describe('The summary.'),
});
