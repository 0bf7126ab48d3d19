import * as z from 'zod';
import { constant, jsonObject, openEnum, optionalString, requestObject, string } from '../fields/field.ts';
import { ignoringUnknownFields, lenient } from '../parsing/lenient.ts';
import { CONTENT_PARTS_MAX, TOOLS_MAX } from '../limits.ts';
import { assistantContentPartSchema, contentPartSchema, textContentSchema } from './content-parts.ts';
import { functionCallSchema, toolCallParamSchema } from './tools.ts';

const name = optionalString('Name of the participant, to tell apart participants of one role.', 'ada');
const textOfMessage = textContentSchema.meta({
  description: 'The text, as a string or as text parts.',
  examples: ['Answer in one sentence.'],
});

export const developerMessageSchema = requestObject(
  'ChatCompletionDeveloperMessageParam',
  'Instructions of the developer. Replaces `system` for newer models.',
  { role: constant('developer'), content: textOfMessage, name },
);

export const systemMessageSchema = requestObject('ChatCompletionSystemMessageParam', 'Instructions of the developer.', {
  role: constant('system'),
  content: textOfMessage,
  name,
});

export const userMessageSchema = requestObject('ChatCompletionUserMessageParam', 'A message of the user.', {
  role: constant('user'),
  content: z
    .union([z.string(), z.array(contentPartSchema).min(1).max(CONTENT_PARTS_MAX)])
    .meta({ description: 'The text, or content parts.', examples: ['Name three rivers in Europe.'] }),
  name,
});

export const annotationSchema = z
  .looseObject({
    type: openEnum(['url_citation'], 'Type of the annotation.'),
    url_citation: z
      .looseObject({
        start_index: z.int().describe('First character of the text that the source supports.'),
        end_index: z.int().describe('Last character of that text.'),
        title: string('Title of the page.', 'Rivers of Europe'),
        url: string('Address of the page.', 'https://example.com/rivers'),
      })
      .optional()
      .describe('The source.'),
  })
  .describe('A source of the text.');

/** Messages that an SDK or a framework returned can be sent back: unknown members are dropped, not rejected. */
export const assistantMessageSchema = ignoringUnknownFields(
  z.strictObject({
    role: constant('assistant'),
    content: z
      .union([z.string(), z.array(assistantContentPartSchema).min(1).max(CONTENT_PARTS_MAX)])
      .nullable()
      .optional()
      .describe('Required unless there are tool calls: a string, text parts, or exactly one refusal part.'),
    refusal: z.string().nullable().optional().describe('Text with which the model refused.'),
    name,
    audio: z
      .strictObject({ id: string('ID of the audio.', 'audio_abc123') })
      .nullable()
      .optional()
      .describe('The audio of an earlier reply.'),
    tool_calls: z
      .array(toolCallParamSchema)
      .max(TOOLS_MAX)
      .optional()
      .describe('The tool calls of the reply. An empty list counts as absent.'),
    function_call: functionCallSchema
      .nullable()
      .optional()
      .meta({ description: 'A call of a function. Replaced by `tool_calls`.', deprecated: true }),
    annotations: z
      .array(annotationSchema)
      .max(CONTENT_PARTS_MAX)
      .optional()
      .describe('Accepted and ignored, so that a generated message can be sent back.'),
    reasoning_content: z
      .string()
      .nullable()
      .optional()
      .describe('The reasoning of the reply, for models that take it. Ignored for others.'),
    provider_metadata: jsonObject()
      .optional()
      .describe(
        'What a generated message has from the provider of the model, such as signatures of reasoning. Send it back unchanged.',
      ),
  }),
).meta({
  id: 'ChatCompletionAssistantMessageParam',
  description: 'An earlier reply of the model. Unknown fields are ignored.',
});

export const toolMessageSchema = requestObject('ChatCompletionToolMessageParam', 'The result of a tool call.', {
  role: constant('tool'),
  content: textOfMessage,
  tool_call_id: string('ID of the tool call that this is the result of.', 'call_abc123'),
  name: name.describe('Name of the tool. Accepted and ignored: `tool_call_id` identifies the call.'),
});

export const functionMessageSchema = z
  .strictObject({
    role: constant('function'),
    content: z.string().nullable().describe('The result.'),
    name: z.string().describe('Name of the function.'),
  })
  .meta({
    id: 'ChatCompletionFunctionMessageParam',
    description: 'The result of a function call. Replaced by `tool` messages.',
    deprecated: true,
  });

export const messageParamSchema = z
  .discriminatedUnion('role', [
    developerMessageSchema,
    systemMessageSchema,
    userMessageSchema,
    assistantMessageSchema,
    toolMessageSchema,
    functionMessageSchema,
  ])
  .meta({ id: 'ChatCompletionMessageParam', description: 'A message of the conversation; `role` selects its form.' });

/** A deprecated `function_call` in a response. */
export const generatedFunctionCallSchema = lenient(functionCallSchema);
