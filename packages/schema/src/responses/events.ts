import * as z from 'zod';
import { constant, id } from '../field.ts';
import {
  responseLogprobSchema,
  responseOutputTextSchema,
  responseReasoningTextSchema,
  responseRefusalSchema,
  responseSummaryTextSchema,
  responseUrlCitationSchema,
} from './content.ts';
import { responseOutputItemSchema } from './output-items.ts';
import { responseSchema } from './response.ts';

const position = (description: string): z.ZodInt => z.int().meta({ description, minimum: 0, examples: [0] });

const sequenced = { sequence_number: position('Number of the event in the stream, from 0.') };
const ofItem = {
  ...sequenced,
  output_index: position('Position of the item in `output`.'),
  item_id: id('ID of the item.', 'msg_abc123'),
};
const ofPart = { ...ofItem, content_index: position('Position of the part in `content`.') };
const ofSummary = { ...ofItem, summary_index: position('Position of the part in `summary`.') };
const delta = {
  delta: z.string().meta({ description: 'The next characters.', examples: ['The Rhi'] }),
  obfuscation: z
    .string()
    .optional()
    .meta({ description: 'Random characters that pad the event. See `include_obfuscation`.', examples: ['x7Kq2'] }),
};
const logprobs = z.array(responseLogprobSchema).describe('Log probabilities. Empty unless `include` asks for them.');

/** One event of a streamed response. */
export const responseStreamEventSchema = z
  .discriminatedUnion('type', [
    z
      .looseObject({
        type: z
          .enum([
            'response.created',
            'response.queued',
            'response.in_progress',
            'response.completed',
            'response.incomplete',
            'response.failed',
          ])
          .describe('Type of the event.'),
        ...sequenced,
        response: responseSchema,
      })
      .describe('The response begins or ends.'),
    z
      .looseObject({
        type: z.enum(['response.output_item.added', 'response.output_item.done']).describe('Type of the event.'),
        ...sequenced,
        output_index: ofItem.output_index,
        item: responseOutputItemSchema,
      })
      .describe('An item begins, or is complete.'),
    z
      .looseObject({
        type: z.enum(['response.content_part.added', 'response.content_part.done']).describe('Type of the event.'),
        ...ofPart,
        part: z
          .discriminatedUnion('type', [responseOutputTextSchema, responseRefusalSchema, responseReasoningTextSchema])
          .describe('The part, empty when it begins.'),
      })
      .describe('A part of an item begins, or is complete.'),
    z.looseObject({ type: constant('response.output_text.delta'), ...ofPart, ...delta, logprobs }).describe('Text.'),
    z
      .looseObject({
        type: constant('response.output_text.done'),
        ...ofPart,
        text: z.string().describe('The whole text.'),
        logprobs,
      })
      .describe('The text is complete.'),
    z
      .looseObject({
        type: constant('response.output_text.annotation.added'),
        ...ofPart,
        annotation_index: position('Position of the annotation in `annotations`.'),
        annotation: responseUrlCitationSchema,
      })
      .describe('A source of the text.'),
    z.looseObject({ type: constant('response.refusal.delta'), ...ofPart, ...delta }).describe('Text of a refusal.'),
    z
      .looseObject({
        type: constant('response.refusal.done'),
        ...ofPart,
        refusal: z.string().describe('The whole refusal.'),
      })
      .describe('The refusal is complete.'),
    z
      .looseObject({ type: constant('response.function_call_arguments.delta'), ...ofItem, ...delta })
      .describe('Arguments of a function call.'),
    z
      .looseObject({
        type: constant('response.function_call_arguments.done'),
        ...ofItem,
        name: z.string().describe('Name of the function.'),
        arguments: z.string().describe('All arguments.'),
      })
      .describe('The arguments are complete.'),
    z
      .looseObject({ type: constant('response.custom_tool_call_input.delta'), ...ofItem, ...delta })
      .describe('Input of a custom tool call.'),
    z
      .looseObject({
        type: constant('response.custom_tool_call_input.done'),
        ...ofItem,
        input: z.string().describe('The whole input.'),
      })
      .describe('The input is complete.'),
    z.looseObject({ type: constant('response.reasoning_text.delta'), ...ofPart, ...delta }).describe('Reasoning.'),
    z
      .looseObject({
        type: constant('response.reasoning_text.done'),
        ...ofPart,
        text: z.string().describe('The whole reasoning.'),
      })
      .describe('The reasoning is complete.'),
    z
      .looseObject({
        type: z
          .enum(['response.reasoning_summary_part.added', 'response.reasoning_summary_part.done'])
          .describe('Type of the event.'),
        ...ofSummary,
        part: responseSummaryTextSchema,
      })
      .describe('A part of the summary begins, or is complete.'),
    z
      .looseObject({ type: constant('response.reasoning_summary_text.delta'), ...ofSummary, ...delta })
      .describe('Summary of reasoning.'),
    z
      .looseObject({
        type: constant('response.reasoning_summary_text.done'),
        ...ofSummary,
        text: z.string().describe('The whole part of the summary.'),
      })
      .describe('The part of the summary is complete.'),
    z
      .looseObject({
        type: z
          .enum([
            'response.web_search_call.in_progress',
            'response.web_search_call.searching',
            'response.web_search_call.completed',
          ])
          .describe('Type of the event.'),
        ...ofItem,
      })
      .describe('How far a web search is.'),
    z
      .looseObject({
        type: constant('error'),
        ...sequenced,
        code: z.string().nullable().describe('A code for programs.'),
        message: z.string().describe('What went wrong, for people.'),
        param: z.string().nullable().describe('Path of the field at fault.'),
        error: z
          .looseObject({
            type: z.string().describe('Kind of the error.'),
            code: z.string().nullable().describe('A code for programs.'),
            message: z.string().describe('What went wrong, for people.'),
            param: z.string().nullable().describe('Path of the field at fault.'),
          })
          .describe('The same, as hosted services send it.'),
      })
      .describe('The response failed. `response.failed` follows.'),
  ])
  .meta({ id: 'ResponseStreamEvent', description: 'One event of a streamed response; `type` selects its form.' });
