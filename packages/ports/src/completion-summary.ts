import type { StoredCompletion } from './completion-store.ts';

/** UTF-16 code units of an excerpt. */
const excerptLength = 200;

/**
 * A stored completion without its large fields: `choices` is empty, `tools`, `tool_choice`, `response_format` and `request_parameters` are
 * omitted, `excerpt` is the start of the first reply, refusal or tool call, and `finish_reason` is that of the
 * first choice.
 */
export function summarizeCompletion(completion: StoredCompletion): StoredCompletion {
  const {
    choices,
    tools: _tools,
    tool_choice: _toolChoice,
    response_format: _format,
    request_parameters: _parameters,
    ...rest
  } = completion;
  const [choice] = choices;
  const text = choice && replyText(choice.message);
  return { ...rest, choices: [], excerpt: excerptOf(text ?? null), finish_reason: choice?.finish_reason ?? null };
}

function replyText({
  content,
  refusal,
  tool_calls,
}: StoredCompletion['choices'][number]['message']): string | undefined {
  const text = content || refusal;
  if (text) return text;
  const call = tool_calls?.[0];
  if (call === undefined) return undefined;
  return call.type === 'custom'
    ? `${call.custom.name}(${call.custom.input})`
    : `${call.function.name}(${call.function.arguments})`;
}

/** The start of a text, without half a surrogate pair at its end. */
export function excerptOf(text: string | null): string | null {
  return text === null ? null : startOf(text);
}

function startOf(text: string): string {
  const start = text.slice(0, excerptLength);
  return /[\uD800-\uDBFF]$/.test(start) && text.length > excerptLength ? start.slice(0, -1) : start;
}
