import type * as z from 'zod';
import { fieldNamesAt } from './field-names.ts';
import { nearest } from '../nearest.ts';
import { formatPath, valueAt, type Path } from './path.ts';
import { describeJsonType, describeExpected, orList, quote } from './message-text.ts';
import type { Problem } from '../types/parts.ts';

type Issue = z.core.$ZodIssue;

/** The format in which schemas and rules report problems. */
export const problem = (code: string, path: Path, message: string): Problem => ({
  message,
  type: 'invalid_request_error',
  param: formatPath(path) ?? null,
  code,
});

const describeField = (path: Path): string => {
  const param = formatPath(path);
  return param === undefined ? 'the request body' : `'${param}'`;
};

function wrongType(path: Path, expected: readonly string[], value: unknown): Problem {
  if (value === undefined && path.length > 0) {
    return problem('missing_required_parameter', path, `Missing required parameter: ${describeField(path)}.`);
  }
  const [first = 'something else', ...others] = [...new Set(expected)];
  const expectation = others.length === 0 ? first : `one of ${orList([first, ...others])}`;
  return problem(
    'invalid_type',
    path,
    `Invalid type for ${describeField(path)}: expected ${expectation}, but got ${describeJsonType(value)} instead.`,
  );
}

/** `undefined` is a value of an optional field, but not a JSON value. */
const quoteAll = (values: readonly unknown[]): string =>
  orList(values.filter((value): boolean => value !== undefined).map((value) => `'${String(value)}'`));

function wrongValue(path: Path, values: readonly unknown[], value: unknown): Problem {
  if (typeof value !== 'string') return wrongType(path, [quoteAll(values)], value);
  return problem(
    'invalid_value',
    path,
    `Invalid value for ${describeField(path)}: ${quote(value)}. Supported values are: ${quoteAll(values)}.`,
  );
}

const SIZED: Readonly<Record<string, { readonly unit: string; readonly above: string; readonly below: string }>> = {
  string: { unit: 'character', above: 'string_above_max_length', below: 'string_below_min_length' },
  array: { unit: 'item', above: 'array_above_max_length', below: 'array_below_min_length' },
  object: { unit: 'field', above: 'object_above_max_properties', below: 'object_below_min_properties' },
};

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
};

function outOfRange(path: Path, issue: Issue & { code: 'too_big' | 'too_small' }, value: unknown): Problem {
  const above = issue.code === 'too_big';
  const limit = above ? issue.maximum : issue.minimum;
  const sized = SIZED[issue.origin];
  if (sized) {
    if (!above && limit === 1 && sizeOf(value) === 0) {
      const code = `empty_${issue.origin}`;
      return problem(code, path, `Invalid ${describeField(path)}: it must not be an empty ${issue.origin}.`);
    }
    const side = above ? 'most' : 'least';
    const count = `${limit} ${sized.unit}${Number(limit) === 1 ? '' : 's'}`;
    const message = `expected ${describeExpected(issue.origin, undefined)} with at ${side} ${count}`;
    const code = above ? sized.above : sized.below;
    return problem(code, path, `Invalid ${describeField(path)}: ${message}, but it has ${sizeOf(value)}.`);
  }
  const kind = issue.origin === 'int' ? 'integer' : 'decimal';
  const code = above ? `${kind}_above_max_value` : `${kind}_below_min_value`;
  return problem(
    code,
    path,
    `Invalid ${describeField(path)}: expected a value ${above ? '<=' : '>='} ${limit}, but got ${String(value)} instead.`,
  );
}

/** The alternatives of a failed union, including those of nested unions. */
function alternatives(issue: Issue & { code: 'invalid_union' }): Issue[] {
  return issue.errors.flatMap((issues) => {
    const first = issues[0];
    if (!first) return [];
    return first.code === 'invalid_union' && first.path.length === 0 && first.errors.length > 0
      ? alternatives(first)
      : [first];
  });
}

const isMismatch = (issue: Issue): boolean =>
  issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');

/** What was parsed, and by which schema where unknown fields can get a suggestion. */
interface Source {
  readonly body: unknown;
  readonly schema: z.core.$ZodType | undefined;
}

/** The intended alternative is the one whose own type matched; of several, the one whose problem is deepest. */
function union(path: Path, issue: Issue & { code: 'invalid_union' }, source: Source): Problem {
  const { body } = source;
  const value = valueAt(body, path);
  if (issue.errors.length === 0) {
    return wrongValue(path, 'options' in issue ? (issue.options ?? []) : [], value);
  }
  const issues = alternatives(issue);
  const intended = issues.filter((one) => !isMismatch(one));
  const deepest = intended.toSorted((a, b) => b.path.length - a.path.length)[0];
  if (deepest) {
    const sameDepth = intended.filter((one) => one.path.length === deepest.path.length && one.code === 'invalid_type');
    if (sameDepth.length < 2) return fromIssue(deepest, path, source);
    const fullPath = [...path, ...deepest.path];
    return wrongType(
      fullPath,
      sameDepth.flatMap((one) => expectedBy(one, fullPath)),
      valueAt(body, fullPath),
    );
  }
  const values = issues.flatMap((one) => (one.code === 'invalid_value' ? one.values : []));
  if (typeof value === 'string' && values.length > 0) return wrongValue(path, values, value);
  return wrongType(
    path,
    issues.flatMap((one) => expectedBy(one, path)),
    value,
  );
}

function expectedBy(issue: Issue, path: Path): string[] {
  if (issue.code === 'invalid_type') return [describeExpected(issue.expected, path.at(-1))];
  if (issue.code === 'invalid_value') return [quoteAll(issue.values)];
  return [];
}

/** `path`: the object that has the unknown field. `names`: the fields that it can have, one of which may be suggested. */
export function unknownParameter(path: Path, name: string, names: readonly string[]): Problem {
  const unknown = [...path, name];
  const similarName = nearest(name, names);
  const suggestion = similarName === undefined ? undefined : formatPath([...path, similarName]);
  const hint = suggestion === undefined ? '' : ` Did you mean ${quote(suggestion)}?`;
  return problem('unknown_parameter', unknown, `Unknown parameter: ${quote(formatPath(unknown) ?? name)}.${hint}`);
}

/** Maximum number of unknown fields that are compared with a missing one. */
const misspellingsMax = 100;

/** A required field may be missing because its name is misspelled. */
function withMisspelling(missing: Problem, path: Path, { body, schema }: Source): Problem {
  const [parent, name] = [path.slice(0, -1), path.at(-1)];
  const object = valueAt(body, parent);
  if (!schema || typeof name !== 'string' || typeof object !== 'object' || object === null) return missing;
  const known = new Set(fieldNamesAt(schema, body, parent));
  const unknown = Object.keys(object).filter((key) => !known.has(key));
  const misspelled = nearest(name, unknown.slice(0, misspellingsMax));
  if (misspelled === undefined) return missing;
  return { ...missing, message: `${missing.message} Did you mean ${quote(name)} instead of ${quote(misspelled)}?` };
}

function fromIssue(issue: Issue, base: Path, source: Source): Problem {
  const { body, schema } = source;
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case 'invalid_type': {
      const value = valueAt(body, path);
      const found = wrongType(path, expectedBy(issue, path), value);
      return value === undefined ? withMisspelling(found, path, source) : found;
    }
    case 'invalid_value':
      return wrongValue(path, issue.values, valueAt(body, path));
    case 'too_big':
    case 'too_small':
      return outOfRange(path, issue, valueAt(body, path));
    case 'invalid_union':
      return union(path, issue, source);
    case 'unrecognized_keys': {
      const key = issue.keys[0] ?? '';
      return unknownParameter(path, key, schema ? fieldNamesAt(schema, body, path) : []);
    }
    case 'invalid_key': {
      const keyIssue = issue.issues[0];
      const key = String(path.at(-1));
      const expectation =
        keyIssue?.code === 'too_big' ? `at most ${keyIssue.maximum} characters` : (keyIssue?.message ?? 'another name');
      const code = keyIssue?.code === 'too_big' ? 'string_above_max_length' : 'invalid_value';
      return problem(
        code,
        path,
        `Invalid key ${quote(key)} in ${describeField(path.slice(0, -1))}: expected ${expectation}.`,
      );
    }
    default: {
      const value = valueAt(body, path);
      const got = typeof value === 'string' ? `, but got ${quote(value)} instead` : '';
      return problem(
        'invalid_value',
        path,
        `Invalid value for ${describeField(path)}: expected ${issue.message}${got}.`,
      );
    }
  }
}

/**
 * The first problem of a failed parse, from the intended branch of each union.
 *
 * @param body The parsed value.
 * @param schema Names the fields that an unknown one may have been meant to be. Default: no suggestion.
 */
export function problemOf(error: z.core.$ZodError, body: unknown, schema?: z.core.$ZodType): Problem {
  const first = error.issues[0];
  if (!first) return problem('invalid_value', [], 'Invalid value for the request body.');
  return fromIssue(first, [], { body, schema });
}
