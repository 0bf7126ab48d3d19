import type { ChatCompletionMessageParam } from '@modelwire/client';

/** Values of variables by their names. */
export type Variables = Readonly<Record<string, string>>;

const pattern = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/** The names of the variables of texts, such as `city` of `{{city}}`, each once. */
export function variablesIn(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, name = '']) => name));
  return [...new Set(names)];
}

/** The text with its variables replaced by their values. A variable without a value stays as it is. */
export function replaceVariables(text: string, values: Variables): string {
  return text.replaceAll(pattern, (variable, name: string) =>
    Object.hasOwn(values, name) && values[name] !== '' ? (values[name] ?? variable) : variable,
  );
}

/** A message of the user with its variables replaced; other messages as they are. */
export function replaceInMessage(message: ChatCompletionMessageParam, values: Variables): ChatCompletionMessageParam {
  if (message.role !== 'user') return message;
  const { content } = message;
  if (typeof content === 'string') return { ...message, content: replaceVariables(content, values) };
  return {
    ...message,
    content: content.map((part) =>
      part.type === 'text' ? { ...part, text: replaceVariables(part.text, values) } : part,
    ),
  };
}
