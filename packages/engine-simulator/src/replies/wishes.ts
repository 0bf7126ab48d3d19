import type { Segment } from '../script.ts';
import type { Ask, Reply } from './conversation.ts';

/** How a reply is to look, read from the instructions and from what the prompt itself adds. */
export interface Wishes {
  /** Everything that was wished, to look for a language in. */
  readonly text: string;
  readonly detail: 0 | 1 | 2;
  readonly oneWord: boolean;
  readonly yesOrNo: boolean;
  readonly letters: 'upper' | 'lower' | undefined;
  readonly sentences: number | undefined;
  readonly words: number | undefined;
  readonly begin: string;
  readonly end: string;
  /** The reply itself, where instructions fix it. */
  readonly fixed: string | undefined;
}

const figures: Record<string, number> = { one: 1, a: 1, two: 2, three: 3, four: 4, five: 5 };

/** Reads the simple wishes; what else instructions say is beyond a simulator. `detail` is what verbosity asks for. */
export function readWishes({ head, instructions }: Ask, detail: 0 | 1 | 2): Wishes {
  const orders = instructions.join('\n');
  // The prompt's own wishes stand at its end, or are short: a long text that is to be summarised may speak of one word.
  const text = `${orders}\n${head.length > 400 ? head.slice(-160) : head}`;
  const sentences =
    /\b(?:at most|no more than|in|within|up to|using|exactly|only|maximum(?: of)?|use)\s+(one|a|two|three|four|five|\d{1,2})(?: short)? sentences?\b/i.exec(
      text,
    )?.[1];
  const words =
    /\b(?:at most|no more than|in|within|up to|using|fewer than|less than|under|maximum(?: of)?|exactly)\s+(two|three|four|five|\d{1,4}) words\b|\b(\d{1,4}) words (?:or (?:less|fewer)|at most|max)/i.exec(
      text,
    );
  const wordCount = words === null ? undefined : (words[1] ?? words[2] ?? '');
  return {
    text,
    detail: /\b(?:brief|briefly|concise|concisely|terse|short answers?|keep it short)\b/i.test(text)
      ? 0
      : /\b(?:in detail|detailed|thorough(?:ly)?|verbose)\b/i.test(text)
        ? 2
        : detail,
    oneWord: /\b(?:one|a single|1|single)[- ]word\b/i.test(text),
    yesOrNo: /\b(?:yes or no|yes\/no)\b/i.test(text),
    letters: /\b(?:all[- ]caps|upper[- ]?case|capital letters)\b/i.test(text)
      ? 'upper'
      : /\blower[- ]?case\b/i.test(text)
        ? 'lower'
        : undefined,
    sentences: number(sentences),
    words: number(wordCount),
    begin: edge(
      /\b(?:start|begin)\s+(?:(?:each|every|all|your|the|any|of|always)\s+|(?:reply|replies|answers?|response|responses|messages?|sentence)\s+)*with(?: the (?:words?|phrase))?\s*:?\s*(.{1,200})/i,
      orders,
    ),
    end: edge(
      /\b(?:end|finish|conclude|close|sign off)\s+(?:(?:each|every|all|your|the|any|of|always)\s+|(?:reply|replies|answers?|response|responses|messages?|sentence)\s+)*with(?: the (?:words?|phrase))?\s*:?\s*(.{1,200})/i,
      orders,
    ),
    fixed:
      edge(
        /\b(?:always|only|just|must)\s+(?:ever\s+)?(?:reply|respond|answer|say|output)(?:\s+(?:only|with|exactly|the words?))*\s*:?\s*(["'“‘`].{1,200})/i,
        orders,
      ) || undefined,
  };
}

/** The segments of a reply as they are wished. */
export function fulfil(reply: Reply, wishes: Wishes): Segment[] {
  const { begin, end, letters } = wishes;
  let segments = shape(reply, wishes);
  if (begin !== '')
    segments = [
      [`${begin}${/[\p{L}\p{N}.,!?:]$/u.test(begin) ? ' ' : ''}`.trimEnd()],
      ...segments.map((ways, i) => (i === 0 ? ways.map((way) => ` ${way.trimStart()}`) : ways)),
    ];
  if (end !== '') segments = [...segments, [` ${end}`]];
  if (letters === undefined) return segments;
  return segments.map((ways) => ways.map((way) => (letters === 'upper' ? way.toUpperCase() : way.toLowerCase())));
}

function shape({ lines, word }: Reply, { detail, oneWord, yesOrNo, sentences, words, fixed }: Wishes): Segment[] {
  if (fixed !== undefined) return [[fixed]];
  if (yesOrNo) return [['Yes.', 'No.']];
  const chosen = lines.filter((line) => line.detail <= detail && line.ways[0] !== '');
  const first = chosen.map(({ ways }) => ways[0] ?? '').join('');
  if (oneWord) return [[word ?? /^\S+/.exec(first.trim())?.[0] ?? first]];
  if (words !== undefined)
    return [
      [
        new RegExp(`^\\s*(?:\\S+\\s+){0,${Math.max(0, words - 1)}}\\S+`)
          .exec(first.slice(0, 40 * words + 400))?.[0]
          .trim() ?? first,
      ],
    ];
  const segments = chosen.map(({ ways }) => ways);
  return sentences === undefined ? segments : segments.slice(0, Math.max(1, sentences));
}

function number(word: string | undefined): number | undefined {
  return word === undefined ? undefined : (figures[word.toLowerCase()] ?? Number(word));
}

/** What stands between quotation marks, or else up to the end of the sentence or line. */
function edge(pattern: RegExp, text: string): string {
  const found = pattern.exec(text)?.[1] ?? '';
  const quoted = /^["'“‘`](.+?)["'”’`]/.exec(found)?.[1];
  return quoted ?? found.replace(/\s+(?:and|but)\s+.*$/, '').trim();
}
