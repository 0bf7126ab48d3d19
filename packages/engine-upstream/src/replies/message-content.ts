import { isRecord } from '@modelwire/adapter-kit';
import { objectItems } from '../requests/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the parts of a content are. A text that is undefined has no part. */
interface ContentTexts {
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly refusal?: string;
}

/**
 * A delta or a message whose `content` is text. Some servers send a list of parts, or one part: texts are joined, thinking becomes
 * `reasoning_content`, and parts without text, such as references, are omitted. Returns the same object if its content is text already.
 */
export function withTextContent(message: Fields): Fields {
  const { content, ...rest } = message;
  if (content === undefined || content === null || typeof content === 'string') return message;
  const texts = readParts(content);
  return {
    ...rest,
    content: texts.content ?? null,
    ...joined('reasoning_content', rest['reasoning_content'], texts.reasoning_content),
    ...joined('refusal', rest['refusal'], texts.refusal),
  };
}

function joined(name: string, before: unknown, text: string | undefined): Fields {
  return text === undefined ? {} : { [name]: typeof before === 'string' ? before + text : text };
}

function readParts(content: unknown): ContentTexts {
  const texts: { -readonly [Name in keyof ContentTexts]: ContentTexts[Name] } = {};
  const add = (name: keyof ContentTexts, text: string): void => {
    texts[name] = (texts[name] ?? '') + text;
  };
  for (const part of Array.isArray(content) ? (content as readonly unknown[]) : [content]) {
    if (typeof part === 'string') add('content', part);
    else if (isRecord(part)) {
      const { type, text, thinking, reasoning, refusal } = part;
      if (typeof refusal === 'string') add('refusal', refusal);
      else if (thinking !== undefined || reasoning !== undefined)
        add('reasoning_content', textOf(thinking ?? reasoning));
      else if (type === 'thinking' || type === 'reasoning') add('reasoning_content', textOf(text));
      else if (text !== undefined) add('content', textOf(text));
    }
  }
  return texts;
}

/** Thinking is a text, or parts of its own. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const parts = isRecord(value) ? [value] : objectItems(value);
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}
