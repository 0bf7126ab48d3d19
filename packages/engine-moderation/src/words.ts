import {
  hasUsedAllGuesses,
  riskyForm,
  riskyWordsFrom,
  spelling,
  splitCompound,
  decodeDisguise,
  collapseRepeats,
  type Spelling,
} from './disguises.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { Work } from './work.ts';

/** Marks that end a clause, kept as separate words. Quotation marks are kept too, everything else is dropped. */
const marks = new Set(['.', ',', '!', '?', ';', ':', '"']);
export const endsSentence = (word: string): boolean => word === '.' || word === '!' || word === '?' || word === ';';
export const isMark = (word: string): boolean => marks.has(word);

const expansions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    im: "i'm",
    ive: "i've",
    dont: "don't",
    doesnt: "doesn't",
    didnt: "didn't",
    cant: "can't",
    wont: "won't",
    wouldnt: "wouldn't",
    couldnt: "couldn't",
    shouldnt: "shouldn't",
    isnt: "isn't",
    arent: "aren't",
    wasnt: "wasn't",
    youre: "you're",
    theyre: "they're",
    u: 'you',
    ya: 'you',
    ur: 'your',
    urself: 'yourself',
    yoself: 'yourself',
    r: 'are',
    gonna: 'going_to',
    gunna: 'going_to',
    wanna: 'want_to',
    pls: 'please',
    plz: 'please',
    ppl: 'people',
    kms: 'kms',
  }),
);

/** The words of a folded text, with disguises decoded. */
export function words(folded: string, vocabulary: Vocabulary, work: Work): string[] {
  const chunks = folded.match(/\n|[^\s]+/g) ?? [];
  const found: string[] = [];
  work.guesses = 0;
  let run: Run | undefined;
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at] ?? '';
    work.steps += 1 + chunk.length;
    if (chunk === '\n') {
      found.push('.');
      continue;
    }
    if (isSingle(chunk)) {
      if (run === undefined || at >= run.until) run = runFrom(chunks, at, vocabulary, work);
      const spelled = run.to - at > 2 ? spelledFrom(run, at, vocabulary) : undefined;
      if (spelled !== undefined) {
        push(found, ...spelled);
        at = run.to - 1;
        continue;
      }
    }
    readChunk(chunk, found, vocabulary, work);
  }
  return joinHalves(found, vocabulary, work);
}

/** A single sign, possibly with a full stop: a letter of a spelled-out word. */
function isSingle(chunk: string): boolean {
  return chunk.length === 1;
}

/** Consecutive single signs, read as letters. */
interface Run {
  readonly from: number;
  readonly to: number;
  /** The start of the next run, after this one was split. */
  readonly until: number;
  /** The index of each sign's letter in the spelling: some signs have none. */
  readonly places: readonly number[];
  /** None if there are too few signs for a word. */
  readonly spelling?: Spelling;
}

/** Maximum letters of one spelled-out text; a longer one is read in steps of half of it. */
const maxRunLength = 64;

function runFrom(chunks: readonly string[], from: number, vocabulary: Vocabulary, work: Work): Run {
  const places: number[] = [];
  let letters = '';
  let to = from;
  for (; to < chunks.length && to - from < maxRunLength; to++) {
    const chunk = chunks[to] ?? '';
    if (!isSingle(chunk) || chunk === '\n') break;
    places.push(letters.length);
    letters += letterOf(chunk);
  }
  const isTruncated = to - from === maxRunLength;
  return {
    from,
    to,
    until: isTruncated ? from + maxRunLength / 2 : to,
    places,
    ...(letters.length < 3 ? {} : { spelling: spelling(letters, vocabulary, work) }),
  };
}

function spelledFrom(
  { from, places, spelling }: Run,
  at: number,
  vocabulary: Vocabulary,
): readonly string[] | undefined {
  const place = places[at - from] ?? 0;
  if (spelling === undefined) return undefined;
  const { letters } = spelling;
  if (letters.length - place < 3) return undefined;
  // Longer than any word.
  const joinedWord = letters.length - place <= 24 ? riskyForm(letters.slice(place), vocabulary) : undefined;
  return joinedWord === undefined ? riskyWordsFrom(spelling, place) : [joinedWord];
}

const lettersBySign: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const letterOf = (sign: string): string => (sign >= 'a' && sign <= 'z' ? sign : (lettersBySign[sign] ?? ''));

function spell(letters: string, vocabulary: Vocabulary, work: Work): readonly string[] | undefined {
  if (letters.length < 3) return undefined;
  const joinedWord = riskyForm(letters, vocabulary);
  return joinedWord === undefined ? riskyWordsFrom(spelling(letters, vocabulary, work), 0) : [joinedWord];
}

const plainWord = /^[a-z']+$/;

function readChunk(chunk: string, found: string[], vocabulary: Vocabulary, work: Work): void {
  if (isSingle(chunk) && kindOf(chunk.charCodeAt(0)) === 'ascii') {
    found.push(expansions.get(chunk) ?? chunk);
    return;
  }
  let from = 0;
  let to = chunk.length;
  while (from < to && !isWordSign(chunk, from) && chunk[from] !== '@' && chunk[from] !== '$') from++;
  while (to > from && !isWordSign(chunk, to - 1)) to--;
  const core = chunk.slice(from, to);
  for (const sign of chunk.slice(0, from)) if (marks.has(sign)) found.push(sign);
  if (plainWord.test(core)) push(found, ...plain(core, vocabulary, work));
  else if (core !== '') push(found, ...disguised(chunk, core, vocabulary, work));
  for (const sign of chunk.slice(to)) if (marks.has(sign)) found.push(sign);
}

/** A letter of any script, or a digit: non-ASCII counts as a letter. */
function isWordSign(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}

function plain(core: string, vocabulary: Vocabulary, work: Work): readonly string[] {
  const word = collapseRepeats(core, vocabulary);
  if (word.length < 6 || vocabulary.common(word) || vocabulary.risky(word)) return [word];
  return splitCompound(word, vocabulary, work) ?? [word];
}

/** The kind of a sign in a chunk: the chunk is split between kinds, and beside marks. */
type Kind = 'gap' | 'mark' | 'ascii' | 'other' | 'apostrophe';

function kindOf(code: number): Kind {
  if (code > 127) return 'other';
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return 'ascii';
  if (code === 39) return 'apostrophe';
  return code === 33 || code === 44 || code === 46 || code === 58 || code === 59 || code === 63 ? 'mark' : 'gap';
}

/** The parts of a chunk: split at signs, around marks, and between ASCII and non-ASCII, such as emoji. */
function partsOf(core: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let last: Kind = 'gap';
  for (let at = 0; at <= core.length; at++) {
    const kind = at === core.length ? 'gap' : kindOf(core.charCodeAt(at));
    const isBoundary =
      kind === 'gap' ||
      kind === 'mark' ||
      last === 'mark' ||
      (kind === 'ascii' && last === 'other') ||
      (kind === 'other' && last === 'ascii');
    if (isBoundary && last !== 'gap') parts.push(core.slice(from, at));
    if (isBoundary || last === 'gap') from = at;
    last = kind;
  }
  return parts;
}

/** Signs among letters: a disguise if they hide a risky word, else several words or a number. */
function disguised(chunk: string, core: string, vocabulary: Vocabulary, work: Work): readonly string[] {
  const digits = /[0-9]/.test(core);
  const letters = digits ? '' : core.replace(/[^a-z]/g, '');
  // Separators between single letters or within one word: "k.i.l.l", "su-icide".
  const decoded =
    decodeDisguise(chunk, vocabulary, work) ??
    (core === chunk ? undefined : decodeDisguise(core, vocabulary, work)) ??
    (digits ? undefined : joinedWord(core, letters, vocabulary)) ??
    (hasUsedAllGuesses(work) ? undefined : decodeDisguise(core.replace(/[.\-_*~/\\,]/g, ''), vocabulary, work));
  if (decoded !== undefined) return [decoded];
  if (/^[a-z](?:[^a-z0-9]+[a-z])+$/.test(core)) {
    const spelled = spell(letters, vocabulary, work);
    if (spelled !== undefined) return spelled;
  }
  return partsOf(core).flatMap((part) =>
    plainWord.test(part) ? plain(part, vocabulary, work) : [decodeDisguise(part, vocabulary, work) ?? part],
  );
}

/** A word with separators inside; two ordinary hyphenated words are not one. */
function joinedWord(core: string, letters: string, vocabulary: Vocabulary): string | undefined {
  if (letters.length < 3 || letters.length > 24) return undefined;
  const word = riskyForm(letters, vocabulary);
  if (word === undefined) return undefined;
  return core.split(/[^a-z]+/).every((part) => part.length > 1 && vocabulary.common(part)) ? undefined : word;
}

function push(found: string[], ...all: readonly string[]): void {
  for (const word of all) {
    const long = expansions.get(word) ?? word;
    if (long.includes('_')) found.push(...long.split('_'));
    else found.push(long);
  }
}

/** "su icide": two halves that are not words, but one together. */
function joinHalves(found: readonly string[], vocabulary: Vocabulary, work: Work): string[] {
  const joined: string[] = [];
  for (const word of found) {
    work.steps++;
    const last = joined.at(-1);
    const areHalves =
      last !== undefined && last.length + word.length < 16 && isHalf(last, vocabulary) && isHalf(word, vocabulary);
    if (areHalves && last.length + word.length > 3 && vocabulary.risky(last + word))
      joined[joined.length - 1] = last + word;
    else joined.push(word);
  }
  return joined;
}

function isHalf(word: string, vocabulary: Vocabulary): boolean {
  if (word.length === 1) return word >= 'b' && word <= 'z' && word !== 'i' && !vocabulary.risky(word);
  return /^[a-z]+$/.test(word) && !vocabulary.risky(word) && !vocabulary.common(word);
}
