import { roleOf, stem, wordsOfName } from './names.ts';
import type { Role } from './names.ts';
import * as phrases from './phrases.ts';

/** What values are taken from. */
export interface Words {
  /** The words that they are looked for in first. */
  readonly text: string;
  /** What was said around it. */
  readonly around: string;
  /** What the simulator would say in words, and in one word. */
  readonly answer: string;
  readonly word: string | undefined;
  /** What tools have told, by the names they gave it, in lower case. */
  readonly facts?: ReadonlyMap<string, unknown>;
}

/** Likeliest first: what the words name, and whatever else they hold. */
export interface Candidates {
  readonly meant: readonly string[];
  readonly other: readonly string[];
}

/** Searches for the names of values: each is an expression of its own, compiled and run over the whole text in 0.1 to 0.3 ms. */
export interface Searches {
  left: number;
}

const maxLabelSearches = 200;

/** Finds values for named places in a text; what was found once is not found again while there is something else. */
export class Source {
  readonly words: Words;
  readonly #used = new Set<string>();
  readonly #found = new Map<string, readonly string[]>();
  #other: readonly string[] | undefined;
  #whole: string | undefined;
  readonly #figures: readonly phrases.Figure[];
  readonly #takenFigures = new Set<phrases.Figure>();
  readonly #lowerCase: string;
  #stems: ReadonlySet<string> | undefined;
  readonly #searches: Searches;

  constructor(words: Words, searches: Searches = { left: maxLabelSearches }) {
    this.words = words;
    this.#lowerCase = words.text.toLowerCase();
    this.#searches = searches;
    this.#figures = phrases.figuresIn(words.text);
  }

  /** Strings for a place of this name, the likeliest first: those that the words name, and then whatever they hold. */
  strings(name: string): Candidates {
    const { meant, other } = this.listed(name);
    // An answer may be given twice; what stands in the words is mostly meant for one place.
    const fresh = (list: readonly string[]): string[] =>
      roleOf(name) === 'answer' ? [...list] : list.filter((one) => !this.#used.has(one));
    return { meant: fresh(meant), other: fresh(other) };
  }

  /** The same for a place that takes several: also what another place took. */
  listed(name: string): Candidates {
    const { text, answer, word = answer } = this.words;
    const role = roleOf(name);
    const unique = (list: readonly string[]): string[] => [...new Set(list)].filter((one) => one !== '');
    if (role === 'answer') {
      const short = /final|result|output|value/i.test(name);
      return {
        meant: unique(short ? [...this.#labelled(name), word] : [...this.#labelled(name), answer]),
        other: [word],
      };
    }
    return {
      meant: unique([...this.#labelled(name), ...(role ? this.#ofRole(role) : [])]),
      other: (this.#other ??= unique([...phrases.quotedIn(text), ...phrases.namesIn(text)])),
    };
  }

  /** What there is to say where nothing fits: the whole of the words. */
  whole(): string {
    return (this.#whole ??= wholeOf(this.words.text));
  }

  /** What a tool told under this name. */
  fact(name: string): unknown {
    return this.words.facts?.get(name.toLowerCase());
  }

  /** A source of other words that shares the limits of this one. */
  of(text: string): Source {
    return new Source({ ...this.words, text }, this.#searches);
  }

  use(value: string): void {
    this.#used.add(value);
  }

  /** Numbers for a place of this name: `meant` where a word of the name stands beside them. */
  numbers(name: string): { readonly meant: readonly number[]; readonly other: readonly number[] } {
    const words = new Set(wordsOfName(name).map(stem));
    const near = (figure: phrases.Figure): boolean =>
      words.has(stem(figure.before)) ||
      words.has(stem(figure.behind)) ||
      (words.has('ag') && /^years?$/.test(figure.behind));
    const left = this.#figures.filter((figure) => !this.#takenFigures.has(figure));
    const meant = left.filter(near);
    return {
      meant: meant.map(({ value }) => value),
      other: left.filter((figure) => !meant.includes(figure)).map(({ value }) => value),
    };
  }

  useNumber(value: number): void {
    const figure = this.#figures.find((one) => one.value === value && !this.#takenFigures.has(one));
    if (figure) this.#takenFigures.add(figure);
  }

  /** Does the text speak of this? */
  mentions(name: string): boolean {
    const said = (this.#stems ??= new Set((this.#lowerCase.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)));
    const words = wordsOfName(name).filter((word) => !/^(?:is|has|should|include|use|with|enable|the)$/.test(word));
    return words.length > 0 && words.every((word) => said.has(stem(word)));
  }

  denies(name: string): boolean {
    const [word = ''] = wordsOfName(name).filter((one) => !/^(?:is|has|should|include|use|with|enable|the)$/.test(one));
    return (
      word !== '' &&
      new RegExp(`\\b(?:no|not|without|don't|never|isn't|disable|off)\\b[^.,;]{0,20}\\b${word}`, 'i').test(
        this.words.text,
      )
    );
  }

  /** What stands behind the name itself: `city: Paris`, `the title is "Moby Dick"`. */
  #labelled(name: string): string[] {
    const nameWords = wordsOfName(name);
    if (nameWords.length === 0 || !nameWords.every((word) => this.#lowerCase.includes(word))) return [];
    if (this.#searches.left-- <= 0) return [];
    const label = nameWords.join('[\\s_-]*');
    const quoted = new RegExp(`\\b${label}s?\\b[\\s\\w]{0,12}[:=]?\\s*["“'\`]([^"”'\`\\n]{1,300})["”'\`]`, 'iu').exec(
      this.words.text,
    )?.[1];
    const plain = new RegExp(
      `\\b${label}\\b(?:\\s*[:=]\\s*|\\s+(?:is|are|as|called|named|will be|should be)\\s+)([^\\n,;.!?]{1,120})`,
      'iu',
    ).exec(this.words.text)?.[1];
    return [quoted, plain].flatMap((one) =>
      one === undefined ? [] : [phrases.bare(one.replace(/\s+(?:and|with|but)\s.*$/i, ''))],
    );
  }

  #ofRole(role: Role): readonly string[] {
    let found = this.#found.get(role);
    if (found === undefined) this.#found.set(role, (found = ofRole(role, this.words)));
    return found;
  }
}

function ofRole(role: Role, { text, around }: Words): string[] {
  const named = (list: readonly string[]): string[] => list.flatMap((one) => phrases.namesIn(`. ${one}`).slice(0, 1));
  const quoted = phrases.quotedIn(text);
  switch (role) {
    case 'email':
      return [...phrases.all(phrases.emailPattern, text), ...phrases.all(phrases.emailPattern, around)];
    case 'url':
      return phrases.all(phrases.urlPattern, text);
    case 'date':
      return [...phrases.all(phrases.datePattern, text), ...phrases.all(phrases.dayPattern, text)];
    case 'time':
      return [...phrases.all(phrases.timePattern, text), ...phrases.all(phrases.dayPattern, text)];
    case 'unit':
      return phrases.all(phrases.unitPattern, text);
    case 'language':
      return phrases.all(phrases.languagePattern, text);
    case 'expression':
      return [...phrases.all(phrases.expressionPattern, text), ...quoted];
    case 'id':
      return phrases.all(phrases.idPattern, text);
    case 'from':
      return [...named(phrases.after(text, ['from', 'between'])), ...phrases.after(text, ['from', 'between'])];
    case 'to':
      return [
        ...phrases.all(phrases.emailPattern, text),
        ...named(phrases.after(text, ['to', 'into', 'towards'])),
        ...(/\bbetween\b/i.test(text) ? named(phrases.after(text, ['and'])) : []),
        ...phrases.namesIn(text).slice(1),
      ];
    case 'place':
      return [
        ...phrases.namesIn(text).filter((one) => one.includes(', ')),
        ...named(phrases.after(text, ['in', 'at', 'for', 'near', 'of', 'to', 'from', 'around'])),
        ...phrases.namesIn(text),
        ...phrases.after(text, ['in', 'near']),
      ];
    case 'person':
      return [
        ...phrases.quotedAfter(text, ['named', 'called', 'name is']),
        ...named(phrases.after(text, ['named', 'called', 'name is', 'I am', "I'm", 'by', 'with', 'for'])),
        ...phrases.namesIn(text),
        ...quoted,
      ];
    case 'topic':
      return [...quoted, ...phrases.longAfter(text, ['for', 'about', 'on', 'of']), ...phrases.namesIn(text)];
    case 'answer':
      return [];
    case 'text': {
      const behind = phrases.behindColon(text);
      return [
        ...quoted,
        ...(behind === undefined ? [] : [behind]),
        ...phrases.longAfter(text, ['saying that', 'saying', 'says that', 'says', 'that']),
      ];
    }
  }
}

function wholeOf(text: string): string {
  return phrases
    .bare(phrases.behindColon(text) ?? phrases.after(text, ['about', 'for', 'of'])[0] ?? text)
    .slice(0, 300);
}
