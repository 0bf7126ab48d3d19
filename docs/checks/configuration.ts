import { configSchema, environmentVariables } from '@modelwire/server-app/testing';
import * as z from 'zod';
import { topics } from './configuration-topics.ts';

interface Row {
  readonly field: string;
  readonly type: string;
  readonly defaultValue: string;
  readonly description: string;
}

/** Upstreams, models and models of providers have them; they are described once. */
const capabilities = /^(?:upstreams\[\]|models\.<id>|providers\[\]\.models\[\])\.capabilities\./;

/** Renders the configuration reference from the schema that validates the configuration. */
export function configurationPage(): string {
  const rows = rowsOf(configSchema, '');
  const left = new Set(rows.map(topLevel));
  const sections = topics.map(({ title, text, fields, example }) => {
    const table = fields.flatMap((name) => {
      if (!left.delete(name))
        throw new Error(`The topic "${title}" has ${name}, which is unknown or in another topic.`);
      return rows.filter((row) => topLevel(row) === name && !capabilities.test(row.field));
    });
    return `## ${title}\n\n${text}\n\n\`\`\`yaml\n${example}\n\`\`\`\n\n${tableOf(table)}`;
  });
  if (left.size > 0) throw new Error(`No topic has ${[...left].join(', ')}.`);
  const capabilityRows = rows
    .filter(({ field }) => capabilities.test(field))
    .map((row) => ({ ...row, field: row.field.replace(capabilities, 'capabilities.') }));
  const variables = Object.entries(environmentVariables).map(([name, text]) => `| \`${name}\` | ${text} |`);
  return `# Configuration reference

Generated from the schema of [\`@modelwire/server-app\`](../apps/server/README.md) by \`npm run docs\`.

All fields are optional; "required" means: required if the object around it is set. Put them into \`modelwire.config.ts\`, \`.mts\`, \`.js\`,
\`.mjs\`, \`.json\`, \`.yaml\` or \`.yml\` in the working directory of the server, or into the file that \`MODELWIRE_CONFIG\` or \`--config\` names.
Modules export the configuration as \`default\`, with the type \`Config\` of \`@modelwire/server-app\`. An invalid or unknown field is an error
that names the field. Flags override environment variables, which override the file.

${sections.join('\n\n')}

## Capabilities

What a model can do. \`upstreams[].capabilities\`, \`models.<id>.capabilities\` and \`providers[].models[].capabilities\` have these fields.
\`GET /v1/capabilities/{model}\` shows what the server found and what you set.

\`\`\`yaml
models:
  small:
    capabilities: { inputs: [text], parameters: { tools: refused } }
\`\`\`

${tableOf(capabilityRows)}

## Environment variables

| variable | sets |
| -------- | ---- |
${variables.join('\n')}
`;
}

/** The field of the top level that a row belongs to. */
function topLevel({ field }: Row): string {
  return /^\w+/.exec(field)?.[0] ?? field;
}

function tableOf(rows: readonly Row[]): string {
  // Options of a union may have the same field.
  const unique = new Map(rows.map((row) => [row.field, row]));
  const lines = [...unique.values()].map(
    ({ field, type, defaultValue, description }) =>
      `| ${[`\`${field}\``, type, defaultValue, description].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return `| field | type | default | description |\n| ----- | ---- | ------- | ---------- |\n${lines.join('\n')}`;
}

function rowsOf(schema: z.core.$ZodType, prefix: string): Row[] {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodObject) {
    return Object.entries(bare.shape as Record<string, z.core.$ZodType>).flatMap(([name, field]) => {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      return [rowOf(path, field), ...rowsOf(field, path)];
    });
  }
  if (bare instanceof z.ZodArray) return rowsOf(bare.element, `${prefix}[]`);
  if (bare instanceof z.ZodRecord) return rowsOf(bare.valueType, `${prefix}.<id>`);
  if (bare instanceof z.ZodUnion) return bare.options.flatMap((option) => rowsOf(option, prefix));
  return [];
}

function rowOf(field: string, schema: z.core.$ZodType): Row {
  const text = schema instanceof z.ZodType ? (schema.description ?? '') : '';
  const [, description = text, defaultValue = ''] = /^(.*?)\s*Default:? (.*?)\.?$/s.exec(text) ?? [];
  const isRequired = !(schema instanceof z.ZodOptional);
  return { field, type: typeOf(schema), defaultValue: isRequired ? 'required' : defaultValue, description };
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? unwrapped(schema.def.innerType) : schema;
}

/** The type of a value, in the terms of JSON. */
function typeOf(schema: z.core.$ZodType): string {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodEnum) return bare.options.map((value) => `\`${value}\``).join(', ');
  if (bare instanceof z.ZodLiteral) return [...bare.values].map((value) => `\`${String(value)}\``).join(', ');
  if (bare instanceof z.ZodUnion) return [...new Set(bare.options.map(typeOf))].join(' or ');
  if (bare instanceof z.ZodArray) return `array of ${typeOf(bare.element)}`;
  if (bare instanceof z.ZodRecord) return 'object';
  if (bare instanceof z.ZodObject) return 'object';
  if (bare instanceof z.ZodBoolean) return 'boolean';
  if (bare instanceof z.ZodURL) return 'URL';
  if (bare instanceof z.ZodString) return 'string';
  if (bare instanceof z.ZodNumber) return bare.format === 'safeint' || bare.isInt ? 'integer' : 'number';
  throw new Error(`no name for the type ${bare._zod.def.type}`);
}
