import * as z from 'zod';
import { constant, flag, identifier, jsonObject, string, text } from '../fields/field.ts';
import { NAME_MAX_LENGTH, TOOLS_MAX } from '../limits.ts';
import { cacheControl } from './content.ts';

/** Clients of this interface may use longer names than those of chat completions. */
const toolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,128}$/, { error: 'up to 128 letters, digits, underscores and hyphens' })
  .meta({ description: 'Name of the tool.', examples: ['get_weather'] });

export const messageToolSchema = z
  .strictObject({
    type: constant('custom').optional(),
    name: toolName,
    description: z.string().optional().describe('What the tool does.'),
    input_schema: jsonObject().describe('JSON Schema of the input.'),
    strict: flag('Whether the input follows `input_schema` exactly.', false),
    cache_control: cacheControl,
    defer_loading: z.boolean().optional().describe('Accepted with no effect: the model sees every tool.'),
    eager_input_streaming: z.boolean().optional().describe('Accepted with no effect: input is always streamed.'),
    input_examples: z.array(jsonObject()).optional().describe('Examples of inputs, added to the description.'),
    allowed_callers: z.array(z.string()).optional().describe('Accepted and ignored: only the model calls tools.'),
  })
  .meta({ id: 'MessageTool', description: 'A tool that the client runs.' });

/** Tools whose schema the hosted service knows, or that it runs itself. */
const hostedToolTypes = [
  'advisor_20260301',
  'bash_20241022',
  'bash_20250124',
  'browser_toolset_20260801',
  'code_execution_20250522',
  'code_execution_20250825',
  'code_execution_20260120',
  'code_execution_20260521',
  'computer_20241022',
  'computer_20250124',
  'computer_20251124',
  'computer_toolset_20260801',
  'mcp_toolset',
  'memory_20250818',
  'text_editor_20241022',
  'text_editor_20250124',
  'text_editor_20250429',
  'text_editor_20250728',
  'tool_search_tool_bm25_20251119',
  'tool_search_tool_regex_20251119',
  'web_fetch_20250910',
  'web_fetch_20260209',
  'web_fetch_20260309',
  'web_fetch_20260318',
  'web_search_20250305',
  'web_search_20260209',
  'web_search_20260318',
] as const;

export const messageHostedToolSchema = z
  .looseObject({
    type: z.enum(hostedToolTypes).meta({ description: 'Type of the tool.', examples: ['web_search_20250305'] }),
    name: text({ min: 1 }).optional().describe('Its name.'),
  })
  .meta({
    id: 'MessageHostedTool',
    description: 'A tool of a hosted service, which this server does not run: the model does not see it.',
  });

const knownToolSchema = z.discriminatedUnion('type', [messageToolSchema, messageHostedToolSchema]);

/** The types of tools that this server knows. */
export const messageToolTypes: ReadonlySet<unknown> = knownToolSchema._zod.propValues['type'] ?? new Set();

export const messageOtherToolSchema = z
  .looseObject({ type: identifier({ min: 1, max: NAME_MAX_LENGTH }).optional().describe('Any other type.') })
  .refine(({ type }) => !messageToolTypes.has(type), { abort: true })
  .meta({
    id: 'MessageOtherTool',
    description: 'A tool of another type. For models of upstreams of this API; a 400 for others.',
  });

export const messageToolsSchema = z
  .array(z.union([knownToolSchema, messageOtherToolSchema]))
  .max(TOOLS_MAX)
  .optional()
  .describe('Tools that the model may call.');

const single = flag('Whether the model calls at most one tool.', false);

export const messageToolChoiceSchema = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: constant('auto'), disable_parallel_tool_use: single })
      .describe('The model decides whether it calls tools.'),
    z
      .strictObject({ type: constant('any'), disable_parallel_tool_use: single })
      .describe('It calls at least one tool.'),
    z
      .strictObject({
        type: constant('tool'),
        name: string('Name of the tool.', 'get_weather'),
        disable_parallel_tool_use: single,
      })
      .describe('It calls this tool.'),
    z.strictObject({ type: constant('none'), disable_parallel_tool_use: single }).describe('It calls no tool.'),
  ])
  .meta({ id: 'MessageToolChoice', description: 'Which tools the model calls.' });
