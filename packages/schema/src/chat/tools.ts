import * as z from 'zod';
import { jsonObject, text } from '../field.ts';
import { lenient } from '../lenient.ts';
import { NAME_MAX_LENGTH, TOOLS_MAX } from '../limits.ts';

/** Name of a function, a custom tool or a response format (interface: Limits). */
export const nameSchema = text({ max: NAME_MAX_LENGTH }).regex(/^[a-zA-Z0-9_-]+$/, {
  error: 'letters a-z and A-Z, digits, underscores and dashes',
});

const description = z.string().optional().describe('What it is for, so that the model knows when and how to use it.');

export const functionDefinitionSchema = z
  .strictObject({
    name: nameSchema,
    description,
    parameters: jsonObject().optional().describe('JSON Schema of the arguments; without it there are none.'),
  })
  .meta({ id: 'FunctionDefinition' });

export const functionToolSchema = z
  .strictObject({
    type: z.literal('function'),
    function: functionDefinitionSchema.extend({
      strict: z.boolean().nullable().optional().meta({ description: 'Follow `parameters` exactly.', default: false }),
    }),
  })
  .meta({ id: 'ChatCompletionFunctionTool' });

export const customToolFormatSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({
    type: z.literal('grammar'),
    grammar: z.strictObject({ definition: z.string(), syntax: z.enum(['lark', 'regex']) }),
  }),
]);

export const customToolSchema = z
  .strictObject({
    type: z.literal('custom'),
    custom: z.strictObject({
      name: nameSchema,
      description,
      format: customToolFormatSchema.optional().describe('What the input may be; any text unless said.'),
    }),
  })
  .meta({ id: 'ChatCompletionCustomTool' });

export const chatToolSchema = z
  .discriminatedUnion('type', [functionToolSchema, customToolSchema])
  .meta({ id: 'ChatCompletionTool' });

const namedFunction = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({ name: z.string() }),
});
const namedCustom = z.strictObject({ type: z.literal('custom'), custom: z.strictObject({ name: z.string() }) });

export const toolChoiceSchema = z
  .union([
    z.enum(['none', 'auto', 'required']),
    z.discriminatedUnion('type', [
      namedFunction,
      namedCustom,
      z.strictObject({
        type: z.literal('allowed_tools'),
        allowed_tools: z.strictObject({
          mode: z.enum(['auto', 'required']),
          tools: z
            .array(z.discriminatedUnion('type', [namedFunction, namedCustom]))
            .min(1)
            .max(TOOLS_MAX),
        }),
      }),
    ]),
  ])
  .meta({ id: 'ChatCompletionToolChoice' });

/** Deprecated: `tool_choice` took its place. */
export const functionCallChoiceSchema = z.union([z.enum(['none', 'auto']), z.strictObject({ name: z.string() })]);

/** Deprecated single call of a function. */
export const functionCallSchema = z.strictObject({
  name: z.string(),
  arguments: z.string().describe('JSON text as the model wrote it; it may be wrong.'),
});

export const toolCallParamSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ id: z.string(), type: z.literal('function'), function: functionCallSchema }),
    z.strictObject({
      id: z.string(),
      type: z.literal('custom'),
      custom: z.strictObject({ name: z.string(), input: z.string() }),
    }),
  ])
  .meta({ id: 'ChatCompletionToolCallParam' });

/** A tool call in a response. */
export const toolCallSchema = lenient(toolCallParamSchema).meta({ id: 'ChatCompletionToolCall' });

export const responseFormatSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text') }),
    z.strictObject({ type: z.literal('json_object') }),
    z.strictObject({
      type: z.literal('json_schema'),
      json_schema: z.strictObject({
        name: nameSchema,
        description,
        schema: jsonObject().optional().describe('JSON Schema of the answer.'),
        strict: z.boolean().nullable().optional().meta({ description: 'Follow `schema` exactly.', default: false }),
      }),
    }),
  ])
  .meta({ id: 'ResponseFormat' });
