import type { Budget } from '../budget.ts';
import { isJsonObject } from './keywords.ts';
import type { JsonObject } from './keywords.ts';

/** What the disjointness of two schemas can be derived from. Computed once per schema. */
type Traits = {
  kinds: ReadonlySet<unknown> | undefined;
  values: ReadonlySet<string> | undefined;
  /** The constants of required properties, for schemas of objects only. */
  fields: ReadonlyMap<string, ReadonlySet<string>>;
};

/** The cost of the traits of a schema, in steps of work. */
const TRAITS_WORK = 8;

/** Whether all schemas are known to be mutually disjoint. Can return false although they are. */
export function areDisjoint(schemas: readonly unknown[], budget: Budget): boolean {
  budget.addWork(TRAITS_WORK * schemas.length);
  const all = schemas.map(traits);
  return all.every((a, index) => all.slice(index + 1).every((b) => a && b && areClearlyDisjoint(a, b, budget)));
}

function areClearlyDisjoint(a: Traits, b: Traits, budget: Budget): boolean {
  budget.addWork(4);
  const areDisjointSets = <Value>(one: ReadonlySet<Value>, other: ReadonlySet<Value>): boolean => {
    const [few, many] = one.size < other.size ? [one, other] : [other, one];
    budget.addWork(few.size);
    return [...few].every((value) => !many.has(value));
  };
  if (a.kinds && b.kinds && areDisjointSets(a.kinds, b.kinds)) return true;
  if (a.values && b.values) return areDisjointSets(a.values, b.values);
  for (const [name, ofA] of a.fields) {
    const ofB = b.fields.get(name);
    if (ofB && areDisjointSets(ofA, ofB)) return true;
  }
  return false;
}

function traits(schema: unknown): Traits | undefined {
  if (!isJsonObject(schema) || hasReference(schema)) return undefined;
  const kinds = kindsOf(schema);
  const fields = new Map<string, ReadonlySet<string>>();
  const { properties, required } = schema;
  if (kinds?.size === 1 && kinds.has('object') && isJsonObject(properties) && Array.isArray(required)) {
    const names: readonly unknown[] = required;
    for (const name of names) {
      const values = typeof name === 'string' && Object.hasOwn(properties, name) && constants(properties[name]);
      if (values) fields.set(name, values);
    }
  }
  return { kinds, values: constants(schema), fields };
}

/** Keywords next to a reference may have no effect. */
function hasReference(schema: JsonObject): boolean {
  return schema['$ref'] !== undefined;
}

/** The types of a schema; `integer` counts as `number`. */
function kindsOf(schema: Readonly<Record<string, unknown>>): Set<unknown> | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  return new Set(names.map((name) => (name === 'integer' ? 'number' : name)));
}

/** The values of a schema that allows only listed scalar values, as JSON. */
function constants(schema: unknown): Set<string> | undefined {
  if (!isJsonObject(schema) || hasReference(schema)) return undefined;
  const listed: unknown = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (!Array.isArray(listed)) return undefined;
  const values: readonly unknown[] = listed;
  return values.every((value) => typeof value !== 'object' || value === null)
    ? new Set(values.map((value) => JSON.stringify(value)))
    : undefined;
}
