import type { Parsed } from '@modelwire/schema';
import { invalid } from '../errors.ts';

/** The parsed value. @throws a 400 that says what is wrong. */
export function unwrapOrThrow<Value>(parsed: Parsed<Value>): Value {
  if (parsed.ok) return parsed.value;
  const { message, param, code } = parsed.problem;
  throw invalid(param, message, code);
}
