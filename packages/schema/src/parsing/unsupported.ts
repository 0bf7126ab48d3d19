import type { Problem } from '../types/parts.ts';
import { isObject } from './is-object.ts';
import { problem } from './problem.ts';

/** Whether a parameter can have an effect: null and an empty list have none. */
export function hasEffect(value: unknown): boolean {
  return value != null && !(Array.isArray(value) && value.length === 0);
}

/** The problem of a body with one of the parameters that no model supports here. @param codes Their error codes. */
export function unsupportedProblem(body: unknown, codes: ReadonlyMap<string, string>): Problem | undefined {
  if (!isObject(body)) return undefined;
  for (const [name, code] of codes)
    if (hasEffect(body[name]))
      return problem(code, [name], `Unsupported parameter: '${name}' is not supported by this server.`);
  return undefined;
}

/** The body without these parameters. */
export function withoutParameters(body: unknown, names: ReadonlyMap<string, unknown>): unknown {
  if (!isObject(body) || !Object.keys(body).some((name) => names.has(name))) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}
