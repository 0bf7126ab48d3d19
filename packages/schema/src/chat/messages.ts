import * as z from 'zod';
import { open } from '../field.ts';
import { ignoringUnknownFields, lenient } from '../lenient.ts';
import { CONTENT_PARTS_MAX, TOOLS_MAX } from '../limits.ts';
import { assistantContentPartSchema, contentPartSchema, textContentSchema } from './content-parts.ts';
import { functionCallSchema, toolCallParamSchema } from './tools.ts';

const name = z.string().optional().describe('Tells participants of one role apart.');

export const developerMessageSchema = z
  .strictObject({ role: z.literal('developer'), content: textContentSchema, name })
  .meta({ id: 'ChatCompletionDeveloperMessageParam' });

export const systemMessageSchema = z
  .strictObject({ role: z.literal('system'), content: textContentSchema, name })
  .meta({ id: 'ChatCompletionSystemMessageParam' });

export const userMessageSchema = z
  .strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(contentPartSchema).min(1).max(CONTENT_PARTS_MAX)]),
    name,
  })
  .meta({ id: 'ChatCompletionUserMessageParam' });

export const annotationSchema = z.looseObject({
  type: open(['url_citation']),
  url_citation: z
    .looseObject({ start_index: z.int(), end_index: z.int(), title: z.string(), url: z.string() })
    .optional(),
});

/** What an SDK or a framework returned can be sent back: members that the interface does not know are dropped, not refused. */
export const assistantMessageSchema = ignoringUnknownFields(
  z.strictObject({
    role: z.literal('assistant'),
    content: z
      .union([z.string(), z.array(assistantContentPartSchema).min(1).max(CONTENT_PARTS_MAX)])
      .nullable()
      .optional()
      .describe('Required unless there are tool calls: a string, text parts, or exactly one refusal part.'),
    refusal: z.string().nullable().optional(),
    name,
    audio: z.strictObject({ id: z.string() }).nullable().optional().describe('An earlier audio answer.'),
    tool_calls: z.array(toolCallParamSchema).min(1).max(TOOLS_MAX).optional(),
    function_call: functionCallSchema.nullable().optional().meta({ deprecated: true }),
    annotations: z
      .array(annotationSchema)
      .max(CONTENT_PARTS_MAX)
      .optional()
      .describe('Of no effect: generated messages carry it, and they may be sent back as they are.'),
  }),
).meta({ id: 'ChatCompletionAssistantMessageParam' });

export const toolMessageSchema = z
  .strictObject({
    role: z.literal('tool'),
    content: textContentSchema,
    tool_call_id: z.string(),
    name: name.describe('Not in the interface: agents of LangChain name the tool again. The call says which it is.'),
  })
  .meta({ id: 'ChatCompletionToolMessageParam' });

export const functionMessageSchema = z
  .strictObject({ role: z.literal('function'), content: z.string().nullable(), name: z.string() })
  .meta({ id: 'ChatCompletionFunctionMessageParam', deprecated: true });

export const messageParamSchema = z
  .discriminatedUnion('role', [
    developerMessageSchema,
    systemMessageSchema,
    userMessageSchema,
    assistantMessageSchema,
    toolMessageSchema,
    functionMessageSchema,
  ])
  .meta({ id: 'ChatCompletionMessageParam' });

/** A deprecated `function_call` in a response. */
export const generatedFunctionCallSchema = lenient(functionCallSchema);
