import * as z from 'zod';
import { isBase64 } from '../data-url/base64.ts';
import { constant, flag, identifier, jsonObject, optionalString, requestObject, string } from '../fields/field.ts';
import { imageUrlSchema } from '../fields/image-url.ts';
import { CONTENT_PARTS_MAX, NAME_MAX_LENGTH } from '../limits.ts';
import { lenient } from '../parsing/lenient.ts';

/** Clients mark the ends of prompts that caches should keep. Caches here find them without. */
export const cacheControl = jsonObject().optional().describe('A hint for prompt caches, without effect on the reply.');
const citations = jsonObject().optional().describe('Accepted; replies cite the results of a web search only.');
const text = string('The text.', 'Hello');
const base64 = z.string().refine(isBase64, { error: 'contents in base64' }).describe('The contents in base64.');
const fileSource = z
  .strictObject({ type: constant('file'), file_id: string('ID of an uploaded file.', 'file-abc123') })
  .describe('A stored file.');

export const messageTextBlockSchema = requestObject('MessageTextBlockParam', 'Text.', {
  type: constant('text'),
  text,
  cache_control: cacheControl,
  citations: z.array(z.unknown()).max(CONTENT_PARTS_MAX).optional().describe('Accepted and ignored.'),
});

export const messageImageBlockSchema = requestObject('MessageImageBlockParam', 'An image.', {
  type: constant('image'),
  source: z
    .discriminatedUnion('type', [
      z
        .strictObject({
          type: constant('base64'),
          media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']).describe('Its format.'),
          data: base64,
        })
        .describe('The image itself.'),
      z
        .strictObject({
          type: constant('url'),
          url: imageUrlSchema.meta({
            description: 'URL of an image.',
            examples: ['https://example.com/lighthouse.png'],
          }),
        })
        .describe('An image on the web.'),
      fileSource,
    ])
    .describe('Where the image is.'),
  cache_control: cacheControl,
});

export const messageDocumentBlockSchema = requestObject('MessageDocumentBlockParam', 'A document.', {
  type: constant('document'),
  source: z
    .discriminatedUnion('type', [
      z
        .strictObject({
          type: constant('base64'),
          media_type: constant('application/pdf'),
          data: base64,
        })
        .describe('A PDF.'),
      z
        .strictObject({ type: constant('text'), media_type: constant('text/plain'), data: text })
        .describe('A plain text.'),
      z
        .strictObject({
          type: constant('content'),
          content: z
            .union([
              z.string(),
              z
                .array(z.discriminatedUnion('type', [messageTextBlockSchema, messageImageBlockSchema]))
                .max(CONTENT_PARTS_MAX),
            ])
            .describe('Text, or blocks of text and images.'),
        })
        .describe('A document in blocks.'),
      z
        .strictObject({ type: constant('url'), url: z.string().describe('Its URL.') })
        .describe('Refused: this server downloads no documents.'),
      fileSource,
    ])
    .describe('Where the document is.'),
  title: optionalString('Title of the document.', 'Rivers of Europe'),
  context: z.string().optional().describe('What the document is about.'),
  citations,
  cache_control: cacheControl,
});

export const messageSearchResultBlockSchema = requestObject('MessageSearchResultBlockParam', 'A search result.', {
  type: constant('search_result'),
  source: string('Where it was found.', 'https://example.com/rivers'),
  title: string('Its title.', 'Rivers of Europe'),
  content: z.array(messageTextBlockSchema).max(CONTENT_PARTS_MAX).describe('Its text.'),
  citations,
  cache_control: cacheControl,
});

const toolUseId = identifier({ min: 1 }).meta({ description: 'Names the call.', examples: ['toolu_abc123'] });

export const messageToolResultBlockSchema = requestObject('MessageToolResultBlockParam', 'The result of a tool.', {
  type: constant('tool_result'),
  tool_use_id: toolUseId,
  content: z
    .union([
      z.string(),
      z
        .array(
          z.discriminatedUnion('type', [
            messageTextBlockSchema,
            messageImageBlockSchema,
            messageDocumentBlockSchema,
            messageSearchResultBlockSchema,
            z
              .strictObject({
                type: constant('tool_reference'),
                tool_name: z.string().describe('Name of the tool.'),
                cache_control: cacheControl,
              })
              .describe('A tool that was found.'),
          ]),
        )
        .max(CONTENT_PARTS_MAX),
    ])
    .optional()
    .meta({ description: 'What the tool returned: text or blocks.', examples: ['15 degrees'] }),
  is_error: flag('Whether the tool failed.', false),
  toolset_name: z.string().optional().describe('Accepted and ignored.'),
  cache_control: cacheControl,
});

/** Types of blocks of tools that a hosted service runs, in its replies. */
const hostedBlockTypes = [
  'advisor_tool_result',
  'bash_code_execution_tool_result',
  'code_execution_tool_result',
  'mcp_tool_result',
  'mcp_tool_use',
  'server_tool_use',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'web_fetch_tool_result',
  'web_search_tool_result',
] as const;

/** What an SDK or a framework returned can be sent back: unknown members are kept for upstreams of this API. */
export const messageAssistantBlockSchema = lenient(
  z.discriminatedUnion('type', [
    z.strictObject(messageTextBlockSchema.shape).describe('Text.'),
    z
      .strictObject({
        type: constant('tool_use'),
        id: toolUseId,
        name: string('Name of the tool.', 'get_weather'),
        input: jsonObject().describe('The input.'),
        cache_control: cacheControl,
      })
      .describe('A call of a tool.'),
    z
      .strictObject({
        type: constant('thinking'),
        thinking: z.string().describe('The reasoning.'),
        signature: z.string().optional().describe('As the server returned it.'),
      })
      .describe('Reasoning of the model.'),
    z
      .strictObject({ type: constant('redacted_thinking'), data: z.string().describe('As a server returned it.') })
      .describe('Reasoning that is not shown.'),
    z
      .looseObject({ type: z.enum(hostedBlockTypes).describe('Type of the block.') })
      .describe('A call of a tool that a hosted service ran, or its result. The model does not see it.'),
  ]),
).meta({ id: 'MessageAssistantBlockParam', description: 'A block of an earlier reply. Unknown fields are ignored.' });

export const messageUserBlockSchema = z
  .discriminatedUnion('type', [
    messageTextBlockSchema,
    messageImageBlockSchema,
    messageDocumentBlockSchema,
    messageSearchResultBlockSchema,
    messageToolResultBlockSchema,
  ])
  .meta({ id: 'MessageUserBlockParam', description: 'A block of a message of the user.' });

/** The types of blocks that this server knows, by the role of their message. */
export const messageBlockTypes = {
  user: typesOf(messageUserBlockSchema),
  assistant: typesOf(messageAssistantBlockSchema),
} as const;

function typesOf({ _zod }: z.ZodDiscriminatedUnion): ReadonlySet<unknown> {
  return _zod.propValues['type'] ?? new Set();
}

/** What a server of this API returned can be sent back, also what this server does not know. */
export const messageOtherBlockSchema = z
  .looseObject({ type: identifier({ min: 1, max: NAME_MAX_LENGTH }).describe('Any other type.') })
  .refine(({ type }) => !messageBlockTypes.user.has(type) && !messageBlockTypes.assistant.has(type), { abort: true })
  .meta({
    id: 'MessageOtherBlockParam',
    description: 'A block of another type. For models of upstreams of this API; a 400 for others.',
  });

const textBlocks = z.union([z.string(), z.array(messageTextBlockSchema).max(CONTENT_PARTS_MAX)]);

/** The system prompt. */
export const systemPromptSchema = textBlocks.optional().meta({
  description: 'Instructions: text, or blocks of text.',
  examples: ['Answer in one sentence.'],
});

export const messageParamSchema = z
  .discriminatedUnion('role', [
    z
      .strictObject({
        role: constant('user'),
        content: z
          .union([
            z.string(),
            z.array(z.union([messageUserBlockSchema, messageOtherBlockSchema])).max(CONTENT_PARTS_MAX),
          ])
          .meta({ description: 'The text, or blocks.', examples: ['Name three rivers in Europe.'] }),
      })
      .meta({ id: 'MessageUserParam', description: 'A message of the user, or the results of tools.' }),
    lenient(
      z.strictObject({
        role: constant('assistant'),
        content: z
          .union([
            z.string(),
            z.array(z.union([messageAssistantBlockSchema, messageOtherBlockSchema])).max(CONTENT_PARTS_MAX),
          ])
          .describe('The text, or blocks.'),
      }),
    ).meta({ id: 'MessageAssistantParam', description: 'An earlier reply. Unknown fields are ignored.' }),
    z
      .strictObject({ role: constant('system'), content: textBlocks.describe('The text, or blocks of text.') })
      .meta({ id: 'MessageSystemParam', description: 'Further instructions.' }),
  ])
  .meta({ id: 'MessageParam', description: 'A message of the conversation; `role` selects its form.' });
