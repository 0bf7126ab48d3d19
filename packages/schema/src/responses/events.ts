import * as z from 'zod';
import { constant, optionalString, string } from '../fields/field.ts';
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
  output_index: position('Position of the item in `output`.'),
  item_id: string('ID of the item.', 'msg_abc123'),
};
const ofPart = { ...ofItem, content_index: position('Position of the part in `content`.') };
const ofSummary = { ...ofItem, summary_index: position('Position of the part in `summary`.') };
const delta = {
  delta: string('The next characters.', 'The Rhi'),
  obfuscation: optionalString('Random characters that pad the event. See `include_obfuscation`.', 'x7Kq2'),
};
const failure = {
  code: z.string().nullable().describe('Machine-readable code.'),
  message: z.string().describe('Human-readable description of the problem.'),
  param: z.string().nullable().describe('Path of the field at fault.'),
};
const logprobs = z.array(responseLogprobSchema).describe('Log probabilities. Empty unless `include` asks for them.');

const event = <const Type extends string, Fields extends z.core.$ZodLooseShape>(
  type: Type,
  description: string,
  fields: Fields,
) => z.looseObject({ type: constant(type), ...sequenced, ...fields }).describe(description);

/** Events of several types with the same fields. */
const events = <const Type extends string, Fields extends z.core.$ZodLooseShape>(
  types: readonly Type[],
  description: string,
  fields: Fields,
) =>
  z.looseObject({ type: z.enum(types).describe('Type of the event.'), ...sequenced, ...fields }).describe(description);

/** One event of a streamed response. */
export const responseStreamEventSchema = z
  .discriminatedUnion('type', [
    events(
      [
        'response.created',
        'response.queued',
        'response.in_progress',
        'response.completed',
        'response.incomplete',
        'response.failed',
      ],
      'The response begins or ends.',
      { response: responseSchema },
    ),
    events(['response.output_item.added', 'response.output_item.done'], 'An item begins, or is complete.', {
      output_index: ofItem.output_index,
      item: responseOutputItemSchema,
    }),
    events(['response.content_part.added', 'response.content_part.done'], 'A part of an item begins, or is complete.', {
      ...ofPart,
      part: z
        .discriminatedUnion('type', [responseOutputTextSchema, responseRefusalSchema, responseReasoningTextSchema])
        .describe('The part, empty when it begins.'),
    }),
    event('response.output_text.delta', 'Text.', { ...ofPart, ...delta, logprobs }),
    event('response.output_text.done', 'The text is complete.', {
      ...ofPart,
      text: z.string().describe('The whole text.'),
      logprobs,
    }),
    event('response.output_text.annotation.added', 'A source of the text.', {
      ...ofPart,
      annotation_index: position('Position of the annotation in `annotations`.'),
      annotation: responseUrlCitationSchema,
    }),
    event('response.refusal.delta', 'Text of a refusal.', { ...ofPart, ...delta }),
    event('response.refusal.done', 'The refusal is complete.', {
      ...ofPart,
      refusal: z.string().describe('The whole refusal.'),
    }),
    event('response.function_call_arguments.delta', 'Arguments of a function call.', { ...ofItem, ...delta }),
    event('response.function_call_arguments.done', 'The arguments are complete.', {
      ...ofItem,
      name: z.string().describe('Name of the function.'),
      arguments: z.string().describe('All arguments.'),
    }),
    event('response.custom_tool_call_input.delta', 'Input of a custom tool call.', { ...ofItem, ...delta }),
    event('response.custom_tool_call_input.done', 'The input is complete.', {
      ...ofItem,
      input: z.string().describe('The whole input.'),
    }),
    event('response.reasoning_text.delta', 'Reasoning.', { ...ofPart, ...delta }),
    event('response.reasoning_text.done', 'The reasoning is complete.', {
      ...ofPart,
      text: z.string().describe('The whole reasoning.'),
    }),
    events(
      ['response.reasoning_summary_part.added', 'response.reasoning_summary_part.done'],
      'A part of the summary begins, or is complete.',
      { ...ofSummary, part: responseSummaryTextSchema },
    ),
    event('response.reasoning_summary_text.delta', 'Summary of reasoning.', { ...ofSummary, ...delta }),
    event('response.reasoning_summary_text.done', 'The part of the summary is complete.', {
      ...ofSummary,
      text: z.string().describe('The whole part of the summary.'),
    }),
    events(
      [
        'response.web_search_call.in_progress',
        'response.web_search_call.searching',
        'response.web_search_call.completed',
      ],
      'How far a web search is.',
      ofItem,
    ),
    event('error', 'The response failed. `response.failed` follows.', {
      ...failure,
      error: z
        .looseObject({
          type: z.string().describe('Kind of the error.'),
          ...failure,
        })
        .describe('The same, as hosted services send it.'),
    }),
  ])
  .meta({ id: 'ResponseStreamEvent', description: 'One event of a streamed response; `type` selects its form.' });

/** The types of all events. */
export const responseStreamEventTypes: ReadonlySet<unknown> = new Set(
  responseStreamEventSchema.options.flatMap((option) => [...(option._zod.propValues['type'] ?? [])]),
);
