import type { StoredCompletion } from './completion-store.ts';

/** UTF-16 code units of an excerpt. */
const excerptLength = 200;

/**
 * A stored completion without its large fields: `choices` is empty, `tools`, `tool_choice`, `response_format` and `request_parameters` are
 * omitted, and `excerpt` is the start of the first reply or refusal.
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
  const message = choices[0]?.message;
  const text = message?.content ?? message?.refusal ?? null;
  return { ...rest, choices: [], excerpt: text === null ? null : startOf(text) };
}

/** The start of a text, without half a surrogate pair at its end. */
function startOf(text: string): string {
  const start = text.slice(0, excerptLength);
  return /[\uD800-\uDBFF]$/.test(start) && text.length > excerptLength ? start.slice(0, -1) : start;
}
