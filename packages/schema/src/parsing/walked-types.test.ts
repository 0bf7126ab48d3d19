import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { contract } from '../contract.ts';
import { lenient } from './lenient.ts';
import { omitNulls } from './omit-nulls.ts';

/** Types whose parts `derive.ts` and `omit-nulls.ts` visit. All others are leaves to them. */
const walkedTypes: ReadonlySet<string> = new Set(['object', 'optional', 'nullable', 'array', 'union']);

/** The parts of a schema of any type, from its zod definition. */
function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const parts: z.core.$ZodType[] = [];
  const visit = (value: unknown): void => {
    if (value instanceof z.core.$ZodType) parts.push(value);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
      Object.values(value).forEach(visit);
    }
  };
  if (schema instanceof z.core.$ZodLazy) visit(schema._zod.innerType);
  else visit(schema._zod.def);
  return parts;
}

/** A schema and all its parts, each once, with the type of the parent. */
function* everyPart(
  schema: z.core.$ZodType,
  seen = new Set<z.core.$ZodType>(),
  leaf?: string,
): Generator<{ readonly part: z.core.$ZodType; readonly leaf: string | undefined }> {
  if (seen.has(schema)) return;
  seen.add(schema);
  yield { part: schema, leaf };
  const { type } = schema._zod.def;
  for (const part of partsOf(schema)) yield* everyPart(part, seen, leaf ?? (walkedTypes.has(type) ? undefined : type));
}

/** Objects within types that are not visited. */
function hiddenObjects(schema: z.core.$ZodType): string[] {
  return [...everyPart(schema)].flatMap(({ part, leaf }) =>
    part instanceof z.core.$ZodObject && leaf !== undefined ? [leaf] : [],
  );
}

const requests = Object.values(contract).flatMap(({ id, request, query }) => [
  ...request.flatMap((body) => ('schema' in body ? [[id, body.schema] as const] : [])),
  [`${id} (query)`, query] as const,
]);

describe.each(requests)('request of %s', (_, schema) => {
  test('has no object within a zod type that `derive.ts` and `omit-nulls.ts` do not visit', () => {
    expect(hiddenObjects(schema)).toEqual([]);
  });

  test('the lenient schema keeps unknown fields at every level', () => {
    const objects = [...everyPart(lenient(schema))].flatMap(({ part }) =>
      part instanceof z.core.$ZodObject ? [part] : [],
    );
    expect(objects.map(({ _zod }) => _zod.def.catchall?._zod.def.type)).toEqual(objects.map(() => 'unknown'));
  });
});

const inner = z.strictObject({ a: z.string().optional() });

test.each<[string, z.ZodType, unknown]>([
  ['pipe', z.strictObject({ x: inner.pipe(z.transform((value) => value)) }), { x: { a: null } }],
  ['record', z.strictObject({ x: z.record(z.string(), inner) }), { x: { b: { a: null } } }],
  ['tuple', z.strictObject({ x: z.tuple([inner]) }), { x: [{ a: null }] }],
  ['lazy', z.strictObject({ x: z.lazy(() => inner) }), { x: { a: null } }],
  ['default', z.strictObject({ x: inner.default({}) }), { x: { a: null } }],
  ['intersection', z.strictObject({ x: z.intersection(inner, z.unknown()) }), { x: { a: null } }],
])('an object inside %s is found, and its nulls would stay', (type, schema, value) => {
  expect(hiddenObjects(schema)).toEqual([type]);
  expect(omitNulls(schema, value)).toEqual(value);
});
