import * as z from 'zod';
import { constant, jsonObject, requestObject, string, text } from '../fields/field.ts';
import { lenient } from '../parsing/lenient.ts';
import { NAME_MAX_LENGTH } from '../limits.ts';
import * as fields from '../fields/tool-fields.ts';

/** Name of a function, a custom tool or a response format (API: Limits). */
export const nameSchema = text({ max: NAME_MAX_LENGTH })
  .regex(/^[a-zA-Z0-9_-]+$/, { error: 'letters a-z and A-Z, digits, underscores and dashes' })
  .meta({
    description: `A name of letters, digits, underscores and dashes; at most ${NAME_MAX_LENGTH} characters.`,
    examples: ['get_weather'],
  });

export const functionDefinitionSchema = requestObject('FunctionDefinition', 'A function that the model may call.', {
  name: nameSchema,
  description: fields.description,
  parameters: fields.parameters,
});

export const functionToolSchema = requestObject(
  'ChatCompletionFunctionTool',
  'A tool that is called with JSON arguments.',
  {
    type: constant('function'),
    function: functionDefinitionSchema
      .extend({
        strict: z
          .boolean()
          .nullable()
          .optional()
          .meta({ description: 'Whether calls follow `parameters` exactly.', default: false }),
      })
      .describe('The function.'),
  },
);

export const customToolFormatSchema = z.discriminatedUnion('type', [
  fields.textFormat,
  z
    .strictObject({
      type: constant('grammar'),
      grammar: z.strictObject(fields.grammarFields).describe('The grammar that the input follows.'),
    })
    .describe('Text that follows a grammar.'),
]);

export const customToolSchema = requestObject('ChatCompletionCustomTool', 'A tool that is called with text.', {
  type: constant('custom'),
  custom: z
    .strictObject({
      name: nameSchema,
      description: fields.description,
      format: customToolFormatSchema.optional().describe('Form of the input. Default: any text.'),
    })
    .describe('The tool.'),
});

export const chatToolSchema = z
  .discriminatedUnion('type', [functionToolSchema, customToolSchema])
  .meta({ id: 'ChatCompletionTool', description: 'A tool that the model may call.' });

export const namedFunctionToolChoiceSchema = z
  .strictObject({
    type: constant('function'),
    function: z.strictObject({ name: fields.toolName }).describe('The function.'),
  })
  .describe('One function.');
export const namedCustomToolChoiceSchema = z
  .strictObject({
    type: constant('custom'),
    custom: z.strictObject({ name: fields.toolName }).describe('The custom tool.'),
  })
  .describe('One custom tool.');

export const toolChoiceSchema = z
  .union([
    z.enum(['none', 'auto', 'required']),
    z.discriminatedUnion('type', [
      namedFunctionToolChoiceSchema,
      namedCustomToolChoiceSchema,
      z.strictObject({
        type: constant('allowed_tools'),
        allowed_tools: z
          .strictObject(
            fields.allowedTools(
              z.discriminatedUnion('type', [namedFunctionToolChoiceSchema, namedCustomToolChoiceSchema]),
            ),
          )
          .describe('Which tools the model may call.'),
      }),
    ]),
  ])
  .meta({ id: 'ChatCompletionToolChoice', description: 'Which tools the model calls.' });

/** Deprecated: replaced by `tool_choice`. */
export const functionCallChoiceSchema = z.union([z.enum(['none', 'auto']), z.strictObject({ name: fields.toolName })]);

/** Deprecated single call of a function. */
export const functionCallSchema = z
  .strictObject({
    name: fields.toolName,
    arguments: string('The arguments in JSON, as the model wrote them: check them before use.', '{"city":"Paris"}'),
  })
  .describe('A call of a function.');

const callId = string('ID of the call, for the `tool_call_id` of its result.', 'call_abc123');

export const toolCallParamSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ id: callId, type: constant('function'), function: functionCallSchema }),
    z.strictObject({
      id: callId,
      type: constant('custom'),
      custom: z
        .strictObject({ name: fields.toolName, input: z.string().describe('The input, as the model wrote it.') })
        .describe('A call of a custom tool.'),
    }),
  ])
  .meta({ id: 'ChatCompletionToolCallParam', description: 'A tool call of an earlier reply.' });

/** A tool call in a response. */
export const toolCallSchema = lenient(toolCallParamSchema).meta({
  id: 'ChatCompletionToolCall',
  description: 'A tool call that the model asks for.',
});

export const responseFormatSchema = z
  .discriminatedUnion('type', [
    fields.textFormat,
    fields.jsonObjectFormat('The messages have'),
    z.strictObject({
      type: constant('json_schema'),
      json_schema: z
        .strictObject({
          name: nameSchema,
          description: fields.description,
          schema: jsonObject().optional().meta(fields.replySchemaMeta),
          strict: z
            .boolean()
            .nullable()
            .optional()
            .meta({ description: 'Whether the reply follows `schema` exactly.', default: false }),
        })
        .describe('The schema that the reply follows.'),
    }),
  ])
  .meta({ id: 'ResponseFormat', description: 'Form of the reply.' });
