import { isJsonObject } from './keywords.ts';

/** Whether it is plain that no value fits two of the schemas. */
export function areDisjoint(schemas: readonly unknown[]): boolean {
  return schemas.every((a, index) => schemas.slice(index + 1).every((b) => plainlyDiffer(a, b)));
}

function plainlyDiffer(a: unknown, b: unknown): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const typesA = kinds(a);
  const typesB = kinds(b);
  if (typesA && typesB && !typesA.some((type) => typesB.includes(type))) return true;
  const valuesA = constants(a);
  const valuesB = constants(b);
  if (valuesA && valuesB) return !valuesA.some((value) => valuesB.includes(value));
  if (typesA?.join() !== 'object' || typesB?.join() !== 'object') return false;
  const { properties: ofA } = a;
  const { properties: ofB } = b;
  if (!isJsonObject(ofA) || !isJsonObject(ofB)) return false;
  return Object.keys(ofA).some((name) => {
    const bothRequire = [a, b].every(({ required }) => Array.isArray(required) && required.includes(name));
    if (!bothRequire) return false;
    const inA = constants(ofA[name]);
    const inB = constants(ofB[name]);
    return inA !== undefined && inB !== undefined && !inA.some((value) => inB.includes(value));
  });
}

/** The types a schema names, integers counted as numbers. */
function kinds(schema: Readonly<Record<string, unknown>>): unknown[] | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  return names.map((name) => (name === 'integer' ? 'number' : name));
}

/** The simple values that a schema allows and no others, as JSON. */
function constants(schema: unknown): string[] | undefined {
  if (!isJsonObject(schema)) return undefined;
  const listed: unknown = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (!Array.isArray(listed)) return undefined;
  const values: readonly unknown[] = listed;
  return values.every((value) => typeof value !== 'object' || value === null)
    ? values.map((value) => JSON.stringify(value))
    : undefined;
}
