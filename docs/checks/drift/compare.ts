import { anyJson } from './fields.ts';
import type { Fields } from './fields.ts';
import type { OperationFields, Operations } from './operations.ts';

/** What the two documents have, as rows such as `POST /files request purpose`, or `POST /files request purpose = batch` for a value. */
export interface Drift {
  readonly same: number;
  readonly oursOnly: readonly string[];
  readonly theirsOnly: readonly string[];
}

const parts = ['query', 'request', 'response', 'event'] as const satisfies readonly (keyof OperationFields)[];

/** A field that only one of them has stands for the fields in it, and an operation for its fields. */
export function compareOperations(ours: Operations, theirs: Operations): Drift {
  const shared = Object.keys(ours).filter((name) => Object.hasOwn(theirs, name));
  const onlyIn = (one: Operations, other: Operations): string[] =>
    Object.keys(one).flatMap((name) => {
      const [fields, others] = [one[name], other[name]];
      if (!fields || !others) return [name];
      return parts.flatMap((part) => missing(fields[part], others[part]).map((field) => `${name} ${part} ${field}`));
    });
  const same = shared.flatMap((name) =>
    parts.flatMap((part) =>
      Object.keys(ours[name]?.[part] ?? {}).filter((field) => Object.hasOwn(theirs[name]?.[part] ?? {}, field)),
    ),
  );
  return { same: same.length, oursOnly: onlyIn(ours, theirs), theirsOnly: onlyIn(theirs, ours) };
}

/** Fields and values of one that the other has not. Values of a field that the other does not enumerate are no difference. */
function missing(fields: Fields, others: Fields): string[] {
  return Object.entries(fields).flatMap(([path, values]) => {
    const known = others[path];
    if (known)
      return known.length === 0 || known.includes(anyJson)
        ? []
        : values.filter((value) => value !== anyJson && !known.includes(value)).map((value) => `${path} = ${value}`);
    return isInside(
      path,
      (outer) => (outer in fields && !(outer in others)) || others[outer]?.includes(anyJson) === true,
    )
      ? []
      : [path];
  });
}

/** Whether any field that contains the field satisfies a condition. */
function isInside(path: string, condition: (outer: string) => boolean): boolean {
  for (let end = path.search(/[.[{]?[^.[{]*$/); end > 0; end = path.slice(0, end).search(/[.[{]?[^.[{]*$/))
    if (condition(path.slice(0, end))) return true;
  return false;
}
