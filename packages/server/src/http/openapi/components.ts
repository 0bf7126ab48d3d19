import * as z from 'zod';
import { isRecord } from '@modelwire/adapter-kit';
import { requestJsonSchema } from '@modelwire/schema/internal';

/** The schemas of the document: those with a name are written once under `components` and referenced. */
export interface Components {
  /** The JSON Schema of a value, or a reference to it if it is a named component. */
  schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json;
  /** A named schema that was used. */
  find(name: string): Json | undefined;
  /** All named schemas, by name. */
  all(): Json;
}

export function createComponents(): Components {
  const schemas = new Map<string, Json>();
  return {
    schemaOf(schema, io) {
      const { $defs, $schema, ...own } = toJsonSchema(schema, io);
      for (const [name, definition] of Object.entries($defs ?? {})) {
        const { id, ...rest } = simplify(definition) as Json;
        schemas.set(name, rest);
      }
      return simplify(own) as Json;
    },
    find: (name) => schemas.get(name),
    all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function toJsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  if (io === 'input') return requestJsonSchema(schema, { target: 'draft-2020-12' });
  return z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    // The bounds that zod adds to every integer limit requests; in a response they would only produce odd examples.
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}

const REFERENCE = '#/$defs/';

/**
 * The schema as it appears in the document: references point to `components`, annotations of a nullable value are beside `anyOf` instead of
 * inside, and `{}`, which allows anything, is omitted.
 */
function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify);
  if (!isRecord(node)) return node;
  const entries = Object.entries(node)
    .filter(([name, value]) => !(name === 'additionalProperties' && isRecord(value) && Object.keys(value).length === 0))
    .filter(([name, value]) => !(name === 'propertyNames' && isRecord(value) && Object.keys(value).join() === 'type'));
  const simplified = Object.fromEntries(
    entries.map(([name, value]) => {
      if (name === '$ref' && typeof value === 'string')
        return [name, value.replace(REFERENCE, '#/components/schemas/')];
      if (name === 'examples' || name === 'default' || name === 'const' || name === 'enum') return [name, value];
      return [name, simplify(value)];
    }),
  );
  return withAnnotationsOutside(simplified);
}

const ANNOTATIONS = ['description', 'examples', 'deprecated'] as const;

/** Moves the annotations of the only alternative besides null out of `anyOf`. */
function withAnnotationsOutside(schema: Json): Json {
  const alternatives = schema['anyOf'];
  if (!Array.isArray(alternatives) || alternatives.length !== 2) return schema;
  const [first, second] = alternatives.map((each: unknown) => (isRecord(each) ? each : {}));
  if (!first || second?.['type'] !== 'null') return schema;
  const annotations: Record<string, unknown> = {};
  const rest: Record<string, unknown> = { ...first };
  for (const name of ANNOTATIONS) {
    if (!(name in rest)) continue;
    annotations[name] = rest[name];
    Reflect.deleteProperty(rest, name);
  }
  return { ...annotations, ...schema, anyOf: [rest, second] };
}

/** A JSON object of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;
