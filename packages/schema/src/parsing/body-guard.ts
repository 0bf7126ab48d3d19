import { BODY_MAX_DEPTH, BODY_MAX_FIELDS } from '../limits.ts';
import type { Path } from './path.ts';
import { problem } from './problem.ts';
import type { Problem } from '../types/parts.ts';

type Container = Readonly<Record<string, unknown>> | readonly unknown[];

interface Frame {
  readonly value: Container;
  readonly key: PropertyKey;
  readonly parent: Frame | undefined;
  readonly depth: number;
}

/** The result of the check of a body. */
export interface GuardedBody {
  /** The reason for which the body is rejected. */
  readonly problem: Problem | undefined;
  /** Whether any field is null. Most bodies have none and need no second pass. */
  readonly hasNulls: boolean;
  /** Whether any object has a field `length` that is an object or an array: zod can throw when it compares it with a limit. */
  readonly hasObjectAsLength: boolean;
}

const rejected = (problem: Problem): GuardedBody => ({ problem, hasNulls: false, hasObjectAsLength: false });

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

function pathOf(frame: Frame | undefined, ...keys: string[]): Path {
  const path: PropertyKey[] = keys;
  for (let current = frame; current?.parent; current = current.parent) path.unshift(current.key);
  return path;
}

/**
 * Rejects valid JSON that is unsafe to process: an own key `__proto__`, which would become the prototype of a copy, nesting beyond
 * `BODY_MAX_DEPTH`, and objects with more than `BODY_MAX_FIELDS` fields. Uses an explicit stack, so that deep nesting cannot overflow the call
 * stack.
 */
export function guardBody(body: unknown): GuardedBody {
  let hasNulls = false;
  let hasObjectAsLength = false;
  if (!isContainer(body)) return { problem: undefined, hasNulls, hasObjectAsLength };
  const stack: Frame[] = [{ value: body, key: '', parent: undefined, depth: 1 }];
  for (let frame = stack.pop(); frame; frame = stack.pop()) {
    const { value, depth } = frame;
    if (depth > BODY_MAX_DEPTH) {
      const path = pathOf(frame).slice(0, 4);
      return rejected(
        problem('invalid_value', path, `Invalid request body: nested deeper than ${BODY_MAX_DEPTH} levels.`),
      );
    }
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        const child: unknown = value[index];
        if (isContainer(child)) stack.push({ value: child, key: index, parent: frame, depth: depth + 1 });
      }
      continue;
    }
    const keys = Object.keys(value);
    if (keys.length > BODY_MAX_FIELDS) {
      const message = `Invalid request body: an object with more than ${BODY_MAX_FIELDS} fields.`;
      return rejected(problem('object_above_max_properties', pathOf(frame), message));
    }
    for (const key of keys) {
      const child = (value as Readonly<Record<string, unknown>>)[key];
      if (key === '__proto__') {
        return rejected(problem('unknown_parameter', pathOf(frame, key), "The key '__proto__' is not allowed."));
      }
      if (child === null) hasNulls = true;
      else if (isContainer(child)) {
        if (key === 'length') hasObjectAsLength = true;
        stack.push({ value: child, key, parent: frame, depth: depth + 1 });
      }
    }
  }
  return { problem: undefined, hasNulls, hasObjectAsLength };
}
