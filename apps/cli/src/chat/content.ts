import type { ChatCompletionContentPart } from '@modelwire/chat';

/** Content of a user message. A plain string if all parts are text, since every server supports that. */
export function contentOf(
  text: string,
  parts: readonly ChatCompletionContentPart[],
): string | readonly ChatCompletionContentPart[] {
  if (parts.every((part) => part.type === 'text')) {
    return [...parts.map((part) => part.text), text].filter((each) => each !== '').join('\n\n');
  }
  return [...parts, ...(text === '' ? [] : [{ type: 'text' as const, text }])];
}
