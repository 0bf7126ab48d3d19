import type { ChatCompletionMessage, ChatCompletionStoredMessage } from '@modelwire/schema/types';
import type { CompletionRecord, SearchTerm } from './completion-store.ts';

/** UTF-16 code units of a completion that can be found. An index of all of a long conversation, for each of its turns, would be larger than the turns. */
export const searchedLength = 16_000;

// Scripts without spaces between words: each character is a word, and a run of them is found as words that follow each other.
const unspaced = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;
const wordCharacter = String.raw`[\p{L}\p{N}\p{M}]`;
// Longer runs are several words, so that databases can index them.
const word = new RegExp(
  String.raw`[${unspaced}&&${wordCharacter}]|\p{Extended_Pictographic}|[${wordCharacter}--${unspaced}]{1,64}`,
  'gv',
);

/** The words of a text, without case and accents. They contain only letters, digits, marks and emoji. */
export function wordsOf(text: string): readonly string[] {
  return fold(text).match(word) ?? [];
}

/** Can be longer than the text: one character can have the compatibility decomposition of a sentence. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase();
}

/**
 * The terms of a search as users write it: words, `"several words"` that follow each other, and `start*`. Empty if there is no word.
 * No character has another meaning.
 */
export function parseSearch(search: string): readonly SearchTerm[] {
  return Array.from(search.matchAll(/"([^"]*)"?(\*?)|([^\s"]+)/g), ([, phrase, star, plain = '']) => ({
    words: wordsOf(phrase ?? plain),
    isPrefix: star === '*' || plain.endsWith('*'),
  })).filter(({ words }) => words.length > 0);
}

/** The words that a completion is found by, of each of its texts: replies with their tool calls, then the messages from the last to the first. */
export function searchedWords({ completion, messages }: CompletionRecord): readonly (readonly string[])[] {
  const all = [...completion.choices.map(({ message }) => message), ...messages.toReversed()];
  // Messages can contain the replies.
  const seen = new Set<string>();
  const found: (readonly string[])[] = [];
  let rest = searchedLength;
  for (const { text, isJson } of textsOf(all)) {
    if (rest === 0) break;
    const start = text.slice(0, longestEscape * searchedLength);
    if (seen.has(start)) continue;
    seen.add(start);
    const searched = (isJson ? unescapeJson(start.slice(0, longestEscape * rest)) : start).slice(0, rest);
    const folded = fold(searched).slice(0, rest);
    rest -= Math.max(searched.length, folded.length);
    found.push(folded.match(word) ?? []);
  }
  return found;
}

interface SearchedText {
  readonly text: string;
  /** Whether the text has escapes. Models do not always complete their JSON. */
  readonly isJson: boolean;
}

function* textsOf(messages: readonly (ChatCompletionMessage | ChatCompletionStoredMessage)[]): Generator<SearchedText> {
  for (const { content, refusal, tool_calls = [], function_call } of messages) {
    if (content) yield { text: content, isJson: false };
    if (refusal) yield { text: refusal, isJson: false };
    for (const call of tool_calls)
      yield call.type === 'custom'
        ? { text: `${call.custom.name} ${call.custom.input}`, isJson: false }
        : { text: `${call.function.name} ${call.function.arguments}`, isJson: true };
    if (function_call) yield { text: `${function_call.name} ${function_call.arguments}`, isJson: true };
  }
}

/** UTF-16 code units of `\u0000`. */
const longestEscape = 6;

function unescapeJson(json: string): string {
  return json.replace(/\\(?:u([\da-f]{4})|.)/gi, (_, hex?: string) =>
    hex === undefined ? ' ' : String.fromCharCode(parseInt(hex, 16)),
  );
}
