import type { ChatCompletionContentPart } from '@modelwire/chat';

/** What a user says, with what is attached: plain text where there is nothing else, since every server takes that. */
export function contentOf(
  text: string,
  parts: readonly ChatCompletionContentPart[],
): string | readonly ChatCompletionContentPart[] {
  if (parts.every((part) => part.type === 'text')) {
    return [...parts.map((part) => part.text), text].filter((each) => each !== '').join('\n\n');
  }
  return [...parts, ...(text === '' ? [] : [{ type: 'text' as const, text }])];
}
