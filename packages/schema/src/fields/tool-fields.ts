import * as z from 'zod';
import { constant, jsonObject, optionalString, string } from './field.ts';
import { TOOLS_MAX } from '../limits.ts';

/** The fields of tools and of response formats that chat completions and responses share. */
export const description = optionalString(
  'What it is for, so that the model knows when and how to use it.',
  'Returns the current weather in a city.',
);

export const parameters = jsonObject()
  .optional()
  .meta({
    description: 'JSON Schema of the arguments. Without it the function has none.',
    examples: [{ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }],
  });

/** Documents the schema of a response format. */
export const replySchemaMeta = {
  description: 'JSON Schema of the reply.',
  examples: [{ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }],
};

export const grammarFields = {
  definition: string('The grammar.', '[0-9]+'),
  syntax: z.enum(['lark', 'regex']).describe('Syntax of the grammar.'),
};

export const toolName = string('Name of the tool.', 'get_weather');

/** The fields that name the tools of an `allowed_tools` choice. */
export const allowedTools = <Tool extends z.ZodType>(tool: Tool) => ({
  mode: z.enum(['auto', 'required']).describe('`auto`: the model decides whether to call. `required`: it calls.'),
  tools: z.array(tool).min(1).max(TOOLS_MAX).describe('The tools that it may call.'),
});

/** The variants of a response format without a schema. */
export const textFormat = z.strictObject({ type: constant('text') }).describe('Any text.');
export const jsonObjectFormat = (asker: string) =>
  z
    .strictObject({ type: constant('json_object') })
    .describe(`A JSON object. ${asker} to ask for JSON. \`json_schema\` is the better choice.`);
