import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import { contract } from '../src/contract.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import * as schemas from '../src/schemas.ts';
import { ignoringUnknownFields, lenient } from '../src/parsing/lenient.ts';
import { knownValues } from '../src/fields/field.ts';

type Schema = z.core.$ZodType;

/** From how many shared fields on an interface extends another. */
const SHARED_FIELDS_MIN = 4;

/** Types with parameters, which are written by hand, and their files. */
const handWritten: ReadonlyMap<string, string> = new Map([
  ['List', 'paging'],
  ['ReportPage', 'report'],
  ['TextOrTokens', 'text-or-tokens'],
  ['Open', 'open'],
]);

/** Types whose name is neither the ID of the schema nor follows from the name under which the schema is exported. */
const renamed: readonly (readonly [name: string, schema: Schema])[] = [
  ['ChatCompletionCreateParamsBase', schemas.chatCompletionCreateParamsSchema],
  ['ResponseCreateParamsBase', schemas.responseCreateParamsSchema],
  ['TextCompletionCreateParamsBase', schemas.textCompletionCreateParamsSchema],
  ['ToolChoice', schemas.toolChoiceSchema],
  ['ChatCompletionAssistantContentPart', schemas.assistantContentPartSchema],
  ['ChatCompletionMessageListParams', schemas.chatMessageListQuerySchema],
  ['UrlCitationAnnotation', schemas.annotationSchema],
  ['ChatCompletionToolCall', schemas.toolCallParamSchema],
  ['ChatCompletionRole', schemas.roleSchema],
  ['ServiceTier', schemas.servedTierSchema],
  ['FileObject', schemas.fileSchema],
  ['FileObjectList', schemas.fileListSchema],
];

/** Exported schemas that are fields rather than types of their own. */
const inlined: ReadonlySet<Schema> = new Set<Schema>([
  schemas.nameSchema,
  schemas.imageUrlSchema,
  schemas.textContentSchema,
  schemas.logitBiasSchema,
]);

const byDefinition = new Map<unknown, string>();
const byName = new Map<string, Schema>();

/** Names a schema and what `lenient` and `ignoringUnknownFields` derive from it. */
function register(name: string, schema: Schema): void {
  if (!byDefinition.has(schema._zod.def)) byName.set(name, schema);
  for (const variant of [schema, ignoringUnknownFields(schema), lenient(schema)]) {
    if (!byDefinition.has(variant._zod.def)) byDefinition.set(variant._zod.def, name);
  }
}

for (const [name, schema] of renamed) register(name, schema);
for (const [id, schema] of z.globalRegistry._idmap) register(id, schema);
for (const [name, schema] of Object.entries<Schema>(schemas))
  if (!inlined.has(schema)) register(typeName(name), schema);

/** `chatCompletionListQuerySchema` is `ChatCompletionListParams`. */
function typeName(exportName: string): string {
  const stem = exportName.replace(/Schema$/, '').replace(/Query$/, 'Params');
  return stem.charAt(0).toUpperCase() + stem.slice(1);
}

/** The files with the types of requests and of responses, each with its source. */
export async function apiTypes(): Promise<readonly { readonly path: string; readonly source: string }[]> {
  const requests = declarationsOf(requestSchemas(), handWritten);
  const elsewhere = new Map([...handWritten, ...requests.names.map((name) => [name, 'requests'] as const)]);
  const responses = declarationsOf(responseSchemas(), elsewhere, responsesByEndpoint);
  return Promise.all([formatted('requests', requests.source), formatted('responses', responses.source)]);
}

async function formatted(file: string, source: string) {
  const path = fileURLToPath(new URL(`../src/types/${file}.ts`, import.meta.url));
  return { path, source: await format(source, { ...(await resolveConfig(path)), filepath: path }) };
}

/** Everything that a request may contain, in the order of the endpoints. */
function requestSchemas(): readonly Schema[] {
  const ofEndpoints = Object.values(contract).flatMap(({ query, request }) => [
    ...request.map((body) => body.schema),
    query,
  ]);
  return [...ofEndpoints.filter(({ shape }) => Object.keys(shape).length > 0), schemas.batchInputLineSchema];
}

function responseSchemas(): readonly Schema[] {
  const ofEndpoints = Object.values<Endpoint>(contract).flatMap(({ response, event }) => [
    ...(response.type === 'application/json' ? [response.schema] : []),
    ...(event ? [event] : []),
  ]);
  return [...ofEndpoints, schemas.batchOutputLineSchema, schemas.errorBodySchema];
}

function responsesByEndpoint(reference: (schema: Schema) => string): string {
  const endpoints = Object.values<Endpoint>(contract);
  const bodies = endpoints.flatMap(({ id, response }) =>
    response.type === 'application/json' ? [`readonly '${id}': ${reference(response.schema)};\n`] : [],
  );
  const events = endpoints.flatMap(({ id, event }) => (event ? [`readonly '${id}': ${reference(event)};\n`] : []));
  return `/** The body of a successful response, by endpoint. */
export interface ResponseBodies {\n${bodies.join('')}}

/** The events of a streamed response, by endpoint. */
export interface ResponseEvents {\n${events.join('')}}
`;
}

/**
 * The declarations of types, in the order in which the schemas refer to them.
 *
 * @param elsewhere The file of each type that is declared in another one.
 */
function declarationsOf(
  roots: readonly Schema[],
  elsewhere: ReadonlyMap<string, string>,
  last: (reference: (schema: Schema) => string) => string = () => '',
): { readonly source: string; readonly names: readonly string[] } {
  const declarations = new Map<string, string>();
  const objects = new Map<string, Members>();
  const imports = new Set<string>();

  function reference(schema: Schema): string {
    const name = byDefinition.get(schema._zod.def);
    if (name === undefined) return expression(schema);
    refer(name, schema);
    return knownValues.has(schema) ? open(name) : name;
  }

  function refer(name: string, schema: Schema): void {
    if (elsewhere.has(name)) imports.add(name);
    else if (!declarations.has(name)) {
      // Reserves the place before the schemas that this one refers to.
      declarations.set(name, '');
      declarations.set(name, declaration(name, byName.get(name) ?? schema));
    }
  }

  function open(known: string): string {
    imports.add('Open');
    return `Open<${known}>`;
  }

  function declaration(name: string, schema: Schema): string {
    const comment = documentation(schema, '');
    if (schema instanceof z.ZodObject && !genericOf(schema))
      return `${comment}export ${objectType(name, schema.shape)}\n`;
    const known = knownValues.get(schema);
    return `${comment}export type ${name} = ${known ? literals(known.values) : expression(schema)};\n`;
  }

  /** An interface, with the fields of the earlier one that declares the most of them alike. */
  function objectType(name: string, shape: z.ZodRawShape): string {
    const members = membersOf(shape);
    const earlier = [...objects].map(([base, others]) => ({
      base,
      shared: [...members].flatMap(([field, text]) => (others.get(field) === text ? [field] : [])),
    }));
    objects.set(name, members);
    const { base, shared } = earlier.reduce((a, b) => (b.shared.length > a.shared.length ? b : a), {
      base: '',
      shared: [],
    });
    if (shared.length < SHARED_FIELDS_MIN) return `interface ${name} ${inBraces(members)}`;
    const picked = shared.length === objects.get(base)?.size ? base : `Pick<${base}, ${literals(shared)}>`;
    const own = new Map([...members].filter(([field]) => !shared.includes(field)));
    return own.size === 0 ? `type ${name} = ${picked};` : `interface ${name} extends ${picked} ${inBraces(own)}`;
  }

  function expression(schema: Schema): string {
    if (schema instanceof z.ZodObject) {
      const generic = genericOf(schema);
      if (!generic) return inBraces(membersOf(schema.shape));
      imports.add(generic.name);
      return `${generic.name}<${reference(generic.argument)}>`;
    }
    if (schema instanceof z.ZodOptional) return reference(schema.def.innerType);
    if (schema instanceof z.ZodNullable) return `${reference(schema.def.innerType)} | null`;
    if (schema instanceof z.ZodPipe) return reference(schema.def.in);
    if (schema instanceof z.ZodArray) return `readonly ${inParentheses(reference(schema.def.element))}[]`;
    if (schema instanceof z.ZodIntersection) {
      return [schema.def.left, schema.def.right].map((side) => inParentheses(reference(side))).join(' & ');
    }
    if (schema instanceof z.ZodUnion) return [...new Set(schema.def.options.map(reference))].join(' | ');
    if (schema instanceof z.ZodEnum) return literals(Object.values(schema.def.entries));
    if (schema instanceof z.ZodLiteral) return literals(schema.def.values);
    if (schema instanceof z.ZodRecord) {
      return `Readonly<Record<${reference(schema.def.keyType)}, ${reference(schema.def.valueType)}>>`;
    }
    if (schema instanceof z.ZodNumber) return 'number';
    if (schema instanceof z.ZodBoolean) return 'boolean';
    if (schema instanceof z.ZodString) return text(schema);
    if (schema instanceof z.ZodUnknown) return unknown(schema);
    throw new TypeError(`Add the zod type ${schema._zod.def.type} to api-types.ts.`);
  }

  function text(schema: z.ZodString): string {
    const known = knownValues.get(schema);
    return known ? open(literals(known.values)) : 'string';
  }

  /** What a schema with a check of its own accepts follows from the JSON Schema that it states. */
  function unknown(schema: Schema): string {
    const { format, anyOf } = z.globalRegistry.get(schema) ?? {};
    if (format === 'int64') return 'number | bigint';
    if (anyOf === undefined) return 'unknown';
    imports.add('TextOrTokens');
    return 'TextOrTokens';
  }

  function membersOf(shape: Readonly<Record<string, Schema>>): Members {
    return new Map(
      Object.entries(shape).map(([name, field]) => {
        const isOptional = field._zod.optin === 'optional';
        return [
          name,
          `${documentation(field, name)}readonly ${key(name)}${isOptional ? '?' : ''}: ${reference(field)};\n`,
        ];
      }),
    );
  }

  for (const schema of roots) reference(schema);
  const end = last(reference);
  return {
    source: `// Generated from the schemas by \`npm run docs\`. Do not edit.
${importLines([...imports], elsewhere)}
${[...declarations.values(), end].join('\n')}`,
    names: [...declarations.keys()],
  };
}

/** The type with a parameter that an object has: a page of a list, or of a report. */
function genericOf({ shape }: z.ZodObject): { readonly name: string; readonly argument: Schema } | undefined {
  const item = elementOf(shape['data']);
  if (!item || !('has_more' in shape) || !('object' in shape)) return undefined;
  const results = item instanceof z.ZodObject ? elementOf(item.shape['results']) : undefined;
  return results && 'next_page' in shape ? { name: 'ReportPage', argument: results } : { name: 'List', argument: item };
}

const elementOf = (schema: unknown): Schema | undefined =>
  schema instanceof z.ZodArray ? schema.def.element : undefined;

function importLines(names: readonly string[], files: ReadonlyMap<string, string>): string {
  const byFile = new Map<string, string[]>();
  for (const name of names.toSorted()) {
    const file = files.get(name) ?? '';
    byFile.set(file, [...(byFile.get(file) ?? []), name]);
  }
  return [...byFile].map(([file, from]) => `import type { ${from.join(', ')} } from './${file}.ts';\n`).join('');
}

/** The fields of an object type, each with its comment. */
type Members = Map<string, string>;

function inBraces(members: Members): string {
  const lines = [...members.values()];
  // prettier keeps an object on one line where it begins on one.
  return lines.some((line) => line.startsWith('/**')) ? `{\n${lines.join('')}}` : `{ ${lines.join('')}}`;
}

const key = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`);
const literals = (values: readonly unknown[]): string => values.map((value) => `'${String(value)}'`).join(' | ');
const inParentheses = (type: string): string => (type.includes(' | ') ? `(${type})` : type);

/** The description, the range and the default of a field as a comment; nothing for a constant. */
function documentation(schema: Schema, field: string): string {
  const { description, default: value, deprecated } = z.globalRegistry.get(schema) ?? {};
  if (description === undefined || /^Always `[^`]+`\.$/.test(description)) return '';
  const commentParts = [
    deprecated === true && 'Deprecated.',
    description.replaceAll('*/', '*\\/').replace(/ One of (?:`[^`]+`(?:, )?)+\.$/, ''),
    field !== '' && range(schema),
    field !== '' &&
      value !== undefined &&
      value !== null &&
      `Default: \`${JSON.stringify(value).replaceAll('"', "'")}\`.`,
  ];
  return `/** ${commentParts.filter((part) => typeof part === 'string').join(' ')} */\n`;
}

function range(schema: Schema): string | false {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return range(schema.def.innerType);
  const { minimum, maximum, format } = z.globalRegistry.get(schema) ?? {};
  if (format === 'int64') return false;
  if (typeof minimum === 'number' && typeof maximum === 'number') return `From ${minimum} to ${maximum}.`;
  if (typeof minimum === 'number' && minimum !== 0) return `At least ${minimum}.`;
  return typeof maximum === 'number' && `At most ${maximum}.`;
}
