import { configSchema } from '@modelwire/server-app';
import * as z from 'zod';

interface Row {
  readonly field: string;
  readonly type: string;
  readonly fallback: string;
  readonly about: string;
}

/** The page of every field of the server's configuration, from the schema that checks it. */
export function configurationPage(): string {
  const rows = rowsOf(configSchema, '');
  const table = rows.map(
    ({ field, type, fallback, about }) =>
      `| ${[`\`${field}\``, type, fallback, about].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return `# Configuration

Made from the schema of [\`@modelwire/server-app\`](../apps/server/README.md); \`npm run docs\` writes it anew. A field that is required is so where
the one around it is given; without any, the server runs.

One file, \`modelwire.config.ts\`, \`.mts\`, \`.js\`, \`.mjs\`, \`.json\`, \`.yaml\` or \`.yml\`, in the folder where the server starts, or the one that
\`MODELWIRE_CONFIG\` or \`--config\` names. A field that is wrong or unknown is refused by name. The environment overrides the file, flags
override the environment: the [README](../apps/server/README.md#configuration) has its variables.

| field | type | default | what it is |
| ----- | ---- | ------- | ---------- |
${table.join('\n')}
`;
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
  const said = schema instanceof z.ZodType ? (schema.description ?? '') : '';
  const [, about = said, fallback = ''] = /^(.*?)\s*Default:? (.*?)\.?$/s.exec(said) ?? [];
  const needed = !(schema instanceof z.ZodOptional);
  return { field, type: typeOf(schema), fallback: needed ? 'required' : fallback, about };
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? unwrapped(schema.def.innerType) : schema;
}

/** How a value looks, in the words of JSON. */
function typeOf(schema: z.core.$ZodType): string {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodEnum) return bare.options.map((value) => `\`${value}\``).join(', ');
  if (bare instanceof z.ZodLiteral) return [...bare.values].map((value) => `\`${String(value)}\``).join(', ');
  if (bare instanceof z.ZodUnion) return [...new Set(bare.options.map(typeOf))].join(' or ');
  if (bare instanceof z.ZodArray) return `list of ${typeOf(bare.element)}`;
  if (bare instanceof z.ZodRecord) return `object by name`;
  if (bare instanceof z.ZodObject) return 'object';
  if (bare instanceof z.ZodBoolean) return 'boolean';
  if (bare instanceof z.ZodURL) return 'URL';
  if (bare instanceof z.ZodString) return 'text';
  if (bare instanceof z.ZodNumber) return bare.format === 'safeint' || bare.isInt ? 'whole number' : 'number';
  throw new Error(`no word for a ${bare._zod.def.type}`);
}
