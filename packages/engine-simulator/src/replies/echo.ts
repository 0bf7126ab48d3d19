import { core, more, quote, quoteLength } from './conversation.ts';
import type { Replier, Reply } from './conversation.ts';

/** No text is repeated more often than this. */
const mostRepeats = 2000;

/** `say X`, `repeat X`, `echo X`, `repeat X 5 times`: exactly what was asked for and nothing more. */
export const echo: Replier = ({ text }) => {
  const order =
    /^(?:please |now |can you |could you |just )*(?:say|repeat|echo|print|output|write|reply with|respond with|answer with|return)(?: (?:back|after me|exactly|just|only|the following(?: text)?|this text|this(?=\s*:)|the (?:words?|phrase|sentence|text)))*(?:\s*:\s*|\s+)/i.exec(
      text.slice(0, 200),
    );
  if (order === null) return undefined;
  const rest = text.slice(order[0].length, order[0].length + quoteLength);
  const verb =
    /say|repeat|echo|print|output|write|reply|respond|answer|return/i.exec(order[0])?.[0].toLowerCase() ?? '';
  const quoted = /^(["'“‘`])([\s\S]+?)["'”’`]/.exec(rest);
  const times =
    /\s+(\d{1,6}|once|twice|thrice|two|three|four|five|ten|a hundred) times?[.!]?\s*$|\s+(twice|thrice|once)[.!]?\s*$/i.exec(
      rest.slice(-40),
    );
  // "Write a poem" and "return the sum" ask for something else; what is quoted or follows a colon is meant as it stands.
  const literal = quoted !== null || /:\s*$/.test(order[0]) || /exactly|following|after me|word|phrase/i.test(order[0]);
  if (!literal && times === null && !/^(?:say|repeat|echo|reply|respond)$/.test(verb)) return undefined;
  if (!literal && /^(?:that|it|yourself|something|anything)\b/i.test(rest)) return undefined;
  if (!literal && /^(?:hi|hello)\b.* in (?:french|german|spanish|italian)\b/i.test(rest.slice(0, 60))) return undefined;
  if (!literal && /^(?:hi|hello) to\b/i.test(rest))
    return exactly(
      rest.replace(/^(hi|hello) to\s+/i, (_, word: string) => `${capital(word)}, `).replace(/[.?]*$/, '!'),
    );
  let said = quoted?.[2] ?? (times === null ? rest : rest.slice(0, rest.length - times[0].length));
  if (times !== null) said = unquote(said);
  else if (!literal && !said.includes('\n')) said = sentence(said, verb);
  if (said.trim() === '') return undefined;
  const count = times === null ? 1 : Math.min(mostRepeats, howOften(times[1] ?? times[2] ?? ''));
  return exactly(Array.from({ length: Math.min(count, Math.ceil(quoteLength / said.length)) }, () => said).join(' '));
};

/** Summaries: by quoting and counting, and it says so. */
export const summary: Replier = ({ text, head, earlier }) => {
  const order = /\b(?:summari[sz]e|sum up|tl;?dr|shorten|summary of|give me the gist)\b[^:\n]{0,80}(?::|\n)?\s*/i.exec(
    head,
  );
  if (order === null) return undefined;
  let source = text.slice(order.index + order[0].length).trim();
  if (order.index > 120) source = text.slice(0, order.index).trim();
  if (source.split(/\s+/).length < 6) source = earlier.findLast((turn) => turn.role === 'assistant')?.text ?? source;
  const sentences =
    source
      .match(/[^.!?\n]+[.!?]*/g)
      ?.map((sentence) => sentence.trim())
      .filter((sentence) => /\p{L}|\p{N}/u.test(sentence)) ?? [];
  const first = sentences[0];
  if (first === undefined)
    return { lines: [core('There is no text to summarise: put it after the word “summarise”.')], word: 'Nothing.' };
  const words = source.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  const keys = keywords(words);
  return {
    lines: [
      core(`In short: ${quote(first, 160)}.`, `The gist: ${quote(first, 160)}.`),
      ...(keys.length > 1
        ? [more(` It speaks mostly of ${list(keys)}.`, ` Words that come back are ${list(keys)}.`)]
        : []),
      more(
        ` The text has ${amount(words.length, 'word')} in ${amount(sentences.length, 'sentence')}; I quote and count, for I cannot understand it.`,
      ),
    ],
    word: keys[0] === undefined ? 'Text.' : `${capital(keys[0])}.`,
  };
};

function exactly(text: string): Reply {
  const word = /^\S+$/.test(text) ? text : undefined;
  return { lines: [core(text)], ...(word !== undefined && { word }) };
}

/** What `say` is followed by, as a sentence; what is to be echoed stays as it is. */
function sentence(text: string, verb: string): string {
  const plain = text.replace(/^that\s+/i, '').trim();
  if (verb !== 'say') return plain;
  if (/^(?:hello|hi|hey)$/i.test(plain)) return `${capital(plain)}!`;
  return /[\p{L}\p{N}]$/u.test(plain) ? `${capital(plain)}.` : capital(plain);
}

function howOften(word: string): number {
  const figures: Record<string, number> = {
    once: 1,
    twice: 2,
    thrice: 3,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    ten: 10,
    'a hundred': 100,
  };
  return Math.max(1, figures[word.toLowerCase()] ?? Number(word));
}

function unquote(text: string): string {
  return text.trim().replace(/^["'“‘`]([\s\S]*)["'”’`]$/, '$1');
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** The words of five letters and more that come most often, at most three, the earlier first where it is even. */
function keywords(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) {
    const key = word.toLowerCase();
    if (key.length >= 5) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([word]) => word);
}
