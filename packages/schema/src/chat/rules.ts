import type { Problem } from '../types/parts.ts';
import type { ChatCompletionCreateParamsBase } from '../types/requests.ts';
import { jsonSchemaRules } from './json-schema-rules.ts';
import { messageRules } from './message-rules.ts';
import { parameterRules } from './parameter-rules.ts';
import type { ChatRule } from './rule.ts';
import { toolRules } from './tool-rules.ts';

/** All rules between the fields of Create chat completion, in the order in which they are checked. */
const chatRules: readonly ChatRule[] = [...parameterRules, ...toolRules, ...messageRules, ...jsonSchemaRules];

/** The first rule that a well-formed request breaks. */
export function firstBrokenRule(request: ChatCompletionCreateParamsBase): Problem | undefined {
  for (const rule of chatRules) {
    const found = rule.check(request);
    if (found) return found;
  }
  return undefined;
}
