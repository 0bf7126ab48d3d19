import type { ChatCompletionMessageParam } from '@modelwire/schema/types';

/** Appends the instruction to the first message if that is a system message, otherwise inserts it before all messages. */
export function withInstruction(
  messages: readonly ChatCompletionMessageParam[],
  text: string,
): readonly ChatCompletionMessageParam[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system' && first?.role !== 'developer') return [{ role: 'system', content: text }, ...messages];
  const content =
    typeof first.content === 'string'
      ? `${first.content}\n\n${text}`
      : [...first.content, { type: 'text' as const, text: `\n\n${text}` }];
  return [{ ...first, content }, ...rest];
}
