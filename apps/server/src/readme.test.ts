import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { configSchema } from './config/schema.ts';

const path = new URL('../README.md', import.meta.url);
const readme = readFileSync(path, 'utf8');

test("the README's configuration is right", () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(configSchema.safeParse(parse(yaml)).error).toBeUndefined();
});

/** One row for each field, with what the schema says of it; inner fields under the outer's name. */
function rows(schema: z.core.$ZodType, prefix = ''): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodRecord) {
    const inner = schema instanceof z.ZodOptional ? schema.def.innerType : schema.def.valueType;
    return rows(inner, schema instanceof z.ZodRecord ? `${prefix.slice(0, -1)}.<id>.` : prefix);
  }
  if (schema instanceof z.ZodArray) return rows(schema.def.element, `${prefix.slice(0, -1)}[].`);
  if (schema instanceof z.ZodUnion) return schema.def.options.flatMap((option) => rows(option, prefix));
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]: [string, z.core.$ZodType]) => {
    const description = z.globalRegistry.get(field)?.description;
    const own = description === undefined ? [] : [`| \`${prefix}${name}\` | ${description} |`];
    return [...own, ...rows(field, `${prefix}${name}.`)];
  });
}

test('the README lists every field of the configuration, as the schema describes it', async () => {
  const table = ['| field | what it is |', '| --- | --- |', ...rows(configSchema)].join('\n');
  const expected = await format(
    readme.replace(/<!-- fields -->[\s\S]*<!-- \/fields -->/, `<!-- fields -->\n\n${table}\n\n<!-- /fields -->`),
    { ...(await resolveConfig(path)), parser: 'markdown' },
  );
  // Run the tests with UPDATE=1 to write the table anew.
  if (process.env['UPDATE'] === '1') writeFileSync(path, expected);
  else expect(readme).toBe(expected);
});
