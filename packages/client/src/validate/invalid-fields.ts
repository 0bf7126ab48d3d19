import type * as z from 'zod';
import type { InvalidField } from '../validation.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * The invalid fields of zod's issues, with paths in `root`. Additions of a newer server are valid. `base` is the path of the validated
 * value in `root`.
 */
export function invalidFields(issues: readonly Issue[], root: unknown, base: Path = []): InvalidField[] {
  return issues.flatMap((issue) => toInvalidFields(issue, root, base));
}

function toInvalidFields(issue: Issue, root: unknown, base: Path): InvalidField[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') return [];
  const value = path.reduce(getMember, root);
  // An unknown string is a value of a newer server, except for `object`, which never changes.
  if (issue.code === 'invalid_value' && typeof value === 'string' && path.at(-1) !== 'object') return [];
  if (issue.code === 'invalid_union') {
    // An unknown discriminator: the path of the issue is the discriminator's.
    if (issue.errors.length === 0) return typeof value === 'string' ? [] : [toInvalidField(path, issue.message)];
    const variants = issue.errors.map((inner) => inner.flatMap((each) => toInvalidFields(each, root, path)));
    // The variant with the fewest invalid fields is the closest.
    return variants.reduce((best, variant) => (variant.length < best.length ? variant : best));
  }
  return [toInvalidField(path, issue.message)];
}

function getMember(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function toInvalidField(path: Path, message: string): InvalidField {
  const text = path.reduce<string>(
    (start, key) =>
      typeof key === 'number' ? `${start}[${key}]` : start === '' ? String(key) : `${start}.${String(key)}`,
    '',
  );
  return { path: text, message };
}
