import type { Parsed } from '@modelwire/schema';
import { invalid } from '../errors.ts';

/** What was parsed, or a 400 that says what was wrong. */
export function checked<Value>(parsed: Parsed<Value>): Value {
  if (parsed.ok) return parsed.value;
  const { message, param, code } = parsed.problem;
  throw invalid(param, message, code);
}
