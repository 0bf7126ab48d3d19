import * as z from 'zod';
import { nameSchema } from '../chat/tools.ts';
import { locationFields, searchContextSize } from '../chat/web-search.ts';
import { constant, flag, jsonObject, responseObject, string } from '../fields/field.ts';
import { FILTER_VALUES_MAX, TOOLS_MAX } from '../limits.ts';
import { ignoringUnknownFields, lenient } from '../parsing/lenient.ts';
import * as fields from '../fields/tool-fields.ts';

/** Newer clients add fields such as `defer_loading`, which have no effect here. */
export const responseFunctionToolSchema = ignoringUnknownFields(
  z.strictObject({
    type: constant('function'),
    name: nameSchema,
    description: fields.description,
    parameters: fields.parameters,
    strict: flag('Whether calls follow `parameters` exactly.', false),
  }),
).meta({
  id: 'ResponseFunctionTool',
  description: 'A tool that is called with JSON arguments. Unknown fields are ignored.',
});

export const responseCustomToolSchema = ignoringUnknownFields(
  z.strictObject({
    type: constant('custom'),
    name: nameSchema,
    description: fields.description,
    format: z
      .discriminatedUnion('type', [
        fields.textFormat,
        z.strictObject({ type: constant('grammar'), ...fields.grammarFields }).describe('Text that follows a grammar.'),
      ])
      .optional()
      .describe('Form of the input. Default: any text.'),
  }),
).meta({ id: 'ResponseCustomTool', description: 'A tool that is called with text. Unknown fields are ignored.' });

export const responseNamespaceToolSchema = ignoringUnknownFields(
  z.strictObject({
    type: constant('namespace'),
    name: nameSchema,
    description: fields.description,
    tools: z
      .array(z.discriminatedUnion('type', [responseFunctionToolSchema, responseCustomToolSchema]))
      .max(TOOLS_MAX)
      .describe('The tools. Their calls carry the name of the group in `namespace`.'),
  }),
).meta({ id: 'ResponseNamespaceTool', description: 'A group of tools.' });

const webSearchTypes = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
] as const;

export const responseWebSearchToolSchema = ignoringUnknownFields(
  z.strictObject({
    type: z.enum(webSearchTypes).describe('`web_search`, or an older name of it.'),
    search_context_size: searchContextSize,
    user_location: z
      .strictObject({
        type: constant('approximate').optional(),
        ...locationFields,
      })
      .optional()
      .describe('Where the user is.'),
    filters: z
      .strictObject({
        allowed_domains: z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe('Domains to search.'),
      })
      .optional()
      .describe('Bounds of the search.'),
    external_web_access: flag('False: only content that was fetched before; such a search is not available.', true),
  }),
).meta({
  id: 'ResponseWebSearchTool',
  description: 'Looks the question up on the web before the reply. Unknown fields are ignored.',
});

/** Tools of the API that only hosted services run. */
const hostedToolTypes = [
  'apply_patch',
  'code_interpreter',
  'computer',
  'computer_use_preview',
  'file_search',
  'image_generation',
  'local_shell',
  'mcp',
  'programmatic_tool_calling',
  'shell',
  'tool_search',
] as const;

export const responseHostedToolSchema = z
  .looseObject({
    type: z.enum(hostedToolTypes).meta({ description: 'Type of the tool.', examples: ['file_search'] }),
  })
  .meta({
    id: 'ResponseHostedTool',
    description:
      'A tool of a hosted service, which this server does not run: the model does not see it. See `hostedTools`.',
  });

export const responseToolSchema = z
  .discriminatedUnion('type', [
    responseFunctionToolSchema,
    responseCustomToolSchema,
    responseNamespaceToolSchema,
    responseWebSearchToolSchema,
    responseHostedToolSchema,
  ])
  .meta({ id: 'ResponseTool', description: 'A tool that the model may call; `type` selects its form.' });

const shownTypes: ReadonlySet<string> = new Set(['function', 'custom', 'namespace', ...webSearchTypes]);

/** Newer servers may have tools of other types. */
export const responseOtherToolSchema = responseObject('ResponseOtherTool', 'A tool of a hosted service.', {
  type: z
    .string()
    .refine((type) => !shownTypes.has(type), { error: 'the type of a hosted tool' })
    .meta({ description: 'Type of the tool.', examples: ['file_search'] }),
});

/** A tool in a response. */
export const responseShownToolSchema = z
  .union([
    z.discriminatedUnion('type', [
      z
        .looseObject({
          type: constant('function'),
          name: string('Name of the function.', 'get_weather'),
          description: z.string().nullable().describe('What it is for.'),
          parameters: jsonObject().nullable().describe('JSON Schema of the arguments.'),
          strict: z.boolean().nullable().describe('Whether calls follow `parameters` exactly.'),
        })
        .describe('A function.'),
      lenient(responseCustomToolSchema),
      lenient(responseNamespaceToolSchema),
      lenient(responseWebSearchToolSchema),
    ]),
    responseOtherToolSchema,
  ])
  .meta({ id: 'ResponseShownTool', description: 'A tool that the model saw.' });

const namespace = z.string().optional().describe('Namespace of the tool, where it has one.');
export const responseFunctionChoiceSchema = z
  .strictObject({ type: constant('function'), name: fields.toolName, namespace })
  .describe('One function.');
export const responseCustomChoiceSchema = z
  .strictObject({ type: constant('custom'), name: fields.toolName, namespace })
  .describe('One custom tool.');
export const responseHostedChoiceSchema = z
  .looseObject({
    type: z
      .enum([...webSearchTypes, ...hostedToolTypes, 'computer_use'])
      .meta({ description: 'Type of the tool.', examples: ['web_search'] }),
  })
  .describe('A tool without a name, such as `web_search`.');

export const responseToolChoiceSchema = z
  .union([
    z.enum(['none', 'auto', 'required']),
    z.discriminatedUnion('type', [
      responseFunctionChoiceSchema,
      responseCustomChoiceSchema,
      z
        .strictObject({
          type: constant('allowed_tools'),
          ...fields.allowedTools(
            z.discriminatedUnion('type', [
              responseFunctionChoiceSchema,
              responseCustomChoiceSchema,
              responseHostedChoiceSchema,
            ]),
          ),
        })
        .describe('Which tools the model may call.'),
      responseHostedChoiceSchema,
    ]),
  ])
  .meta({ id: 'ResponseToolChoice', description: 'Which tools the model calls.' });

export const responseTextFormatSchema = z
  .discriminatedUnion('type', [
    fields.textFormat,
    fields.jsonObjectFormat('The input has'),
    z.strictObject({
      type: constant('json_schema'),
      name: nameSchema,
      description: fields.description,
      schema: jsonObject().meta(fields.replySchemaMeta),
      strict: flag('Whether the reply follows `schema` exactly.', false),
    }),
  ])
  .meta({ id: 'ResponseTextFormat', description: 'Form of the reply.' });
