/** Where a field is: keys and indices from the body down. */
export type Path = readonly PropertyKey[];

const PLAIN = /^[\w$-]+$/;
/** Maximum length of a key from a request in a path; the path ends before a longer one. */
const KEY_MAX = 64;
const PATH_MAX = 300;

/** `messages[2].content`, `metadata.key`, `metadata["odd key"]`: the `param` of an error. Undefined for the body itself. */
export function formatPath(path: Path): string | undefined {
  let out = '';
  for (const key of path) {
    let step: string;
    if (typeof key === 'number') step = `[${key}]`;
    else if (typeof key === 'symbol' || key.length > KEY_MAX) break;
    else if (PLAIN.test(key)) step = out === '' ? key : `.${key}`;
    else step = `[${JSON.stringify(key)}]`;
    if (out.length + step.length > PATH_MAX) break;
    out += step;
  }
  return out === '' ? undefined : out;
}

/** The value at the path, or undefined. Only own properties count: a path may contain `constructor`. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}
