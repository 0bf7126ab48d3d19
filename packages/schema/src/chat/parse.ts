import { parseRequest, type Parsed, type ParseOptions } from '../parse.ts';
import type { ChatCompletionCreateParams } from '../types/chat-request.ts';
import { chatCompletionCreateParamsSchema } from './create.ts';
import { byPresence } from '../present.ts';
import { firstBrokenRule } from './rules.ts';

export interface ChatParseOptions extends ParseOptions {
  /** What a request without `model` is read as. Default: such a request is refused. */
  readonly defaultModel?: string | undefined;
}

const schemaFor = byPresence(chatCompletionCreateParamsSchema);

/**
 * Parses the body of Create chat completion: its shape first, then the rules between fields. Fields keep their names and
 * nothing is filled in. Never throws on what a caller may send (interface: Create chat completion).
 */
export function parseChatCompletionCreate(
  body: unknown,
  options?: ChatParseOptions,
): Parsed<ChatCompletionCreateParams> {
  const asked = options?.defaultModel === undefined ? body : withModel(body, options.defaultModel);
  const parsed = parseRequest(schemaFor(asked), asked, options);
  if (!parsed.ok) return parsed;
  const problem = firstBrokenRule(parsed.value);
  return problem ? { ok: false, problem } : parsed;
}

function withModel(body: unknown, model: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return 'model' in body && body.model !== null ? body : { ...body, model };
}
