import type { State } from '@modelwire/grammar';
import { numberForms, canonicalNumber } from './number-forms.ts';
import { ValidPrefix } from './valid-prefix.ts';
import type { Form, Rejection } from './valid-prefix.ts';

/** An object or array that is not closed. */
interface Container {
  readonly closing: '}' | ']';
  /** The names that an object has so far. */
  readonly names: Set<string>;
  /** After the opening bracket. */
  readonly start: State;
  /** The last name or index. */
  at: string | number;
  /** Where the grammar goes on after the value of a name that the object has already. */
  resumeAt: State | undefined;
}

/** What the document needs next, after its valid prefix. */
type Expected = 'value' | 'first name' | 'first item' | 'colon' | 'comma' | 'string' | 'nothing';

/** Where a document can be continued: after its valid prefix. */
export interface JsonPosition {
  readonly prefix: ValidPrefix;
  readonly expected: Expected;
  readonly containers: readonly Container[];
  readonly hasRepeatedNames: boolean;
}

/** A token of which more characters may come. */
type Token =
  | { readonly kind: 'number' | 'word'; raw: string }
  /** With an escape that is not complete, or the whitespace after a name without quotes, which only a colon ends. */
  | { readonly kind: 'name'; readonly quote: string; name: string; raw: string; pending: string }
  | { readonly kind: 'comment'; raw: string };

/** Values that other languages and people write differently. */
const words: ReadonlyMap<string, string> = new Map([
  ...['true', 'True', 'TRUE'].map((word) => [word, 'true'] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, 'false'] as const),
  ...['null', 'None', 'NULL', 'Null', 'nil', 'undefined'].map((word) => [word, 'null'] as const),
]);

export interface JsonReaderOptions {
  /** What the document has to begin with (`ValidPrefix`). */
  readonly sent?: string;
  /** Whether 1.0 is no integer. */
  readonly integersHaveNoPoint?: boolean;
}

/**
 * Reads a JSON document as a model writes it, character by character, and releases the longest prefix that can still become a valid document:
 * a comma and the whitespace before a token wait for the token, a name and a number for their end. What is released is never taken back, and a
 * valid document is released byte for byte.
 *
 * What is equivalent is normalized: commas before closing brackets, comments, single quotes, names without quotes, control characters in strings,
 * and `True` and `None`. Nothing is changed within strings except how they are escaped. A name that an object has already may be repeated with
 * a value that matches, too: `JSON.parse` takes the last one.
 */
export class JsonReader {
  readonly #prefix: ValidPrefix;
  readonly #integersHaveNoPoint: boolean;
  #containers: Container[];
  #expected: Expected;
  #quote = '"';
  /** The escape or the first half of a surrogate pair that a string ends with. */
  #escape = '';
  #token: Token | undefined;
  /** Whether a comma waits for the next token. */
  #hasComma = false;
  /** Whitespace, and the comma, that wait for the next token. */
  #held = '';
  #hasContent = false;
  #hasRepeatedNames = false;
  /** Whether the last character that was read is not part of the document: it ended a number. */
  #endedBefore = false;
  #position: number;
  #rejection: Rejection | undefined;

  /** @param from A grammar, or where another reader stopped. */
  constructor(from: State | JsonPosition, { sent, integersHaveNoPoint = false }: JsonReaderOptions = {}, position = 0) {
    this.#integersHaveNoPoint = integersHaveNoPoint;
    this.#position = position;
    if ('prefix' in from) {
      const { state, canonical, text } = from.prefix;
      this.#prefix = new ValidPrefix(state, { canonical, text });
      this.#containers = from.containers.map((container) => ({ ...container, names: new Set(container.names) }));
      this.#expected = from.expected;
      this.#hasRepeatedNames = from.hasRepeatedNames;
    } else {
      this.#prefix = new ValidPrefix(from, { ...(sent !== undefined && { sent }) });
      this.#containers = [];
      this.#expected = 'value';
    }
  }

  get prefix(): ValidPrefix {
    return this.#prefix;
  }

  /** Where another reader can continue. */
  get here(): JsonPosition {
    return {
      prefix: this.#prefix,
      expected: this.#expected,
      containers: this.#containers,
      hasRepeatedNames: this.#hasRepeatedNames,
    };
  }

  get rejection(): Rejection | undefined {
    return this.#rejection;
  }

  /** Whether the document has ended. */
  get isComplete(): boolean {
    return this.#expected === 'nothing' && !this.#rejection && this.#prefix.state.canEnd();
  }

  /** Whether an object has a name twice, so that the values that count have to be checked together. */
  get hasRepeatedNames(): boolean {
    return this.#hasRepeatedNames;
  }

  /** Whether the valid prefix has more than the brackets that it begins with. */
  get hasContent(): boolean {
    return this.#hasContent;
  }

  /** Reads a text from a position on. Returns where the document ends or is rejected. */
  read(text: string, start = 0): number {
    let at = start;
    while (at < text.length && !this.#rejection && this.#expected !== 'nothing') {
      at += this.#readPlain(text, at);
      if (at === text.length || !this.#step(text[at] ?? '')) break;
      at++;
      this.#position++;
    }
    return at;
  }

  /** Reads characters of a string that need no escape: most of a text. */
  #readPlain(text: string, start: number): number {
    if (this.#expected !== 'string' || this.#escape !== '') return 0;
    plain.lastIndex = start;
    const [run = ''] = plain.exec(text) ?? [];
    const count = this.#quote === '"' ? this.#prefix.appendCharacters(run) : 0;
    this.#position += count;
    return count;
  }

  /** Returns whether the character is part of the document. */
  #step(char: string): boolean {
    if (this.#token) this.#continueToken(this.#token, char);
    else if (this.#expected === 'string') this.#readInString(char);
    else this.#startToken(char);
    return !this.#rejection && !this.#endedBefore;
  }

  #startToken(char: string): void {
    if (isWhitespace(char)) {
      this.#held += char;
      return;
    }
    const container = this.#containers.at(-1);
    const needsName = container?.closing === '}' && (this.#hasComma || this.#expected === 'first name');
    if (char === '/') this.#token = { kind: 'comment', raw: char };
    else if ((char === '}' || char === ']') && this.#canClose(char)) this.#close(char);
    else if (needsName) this.#startName(char);
    else if (this.#expected === 'comma' && !this.#hasComma) {
      if (char !== ',') {
        this.#reject(`it has an unexpected ${JSON.stringify(char)}`);
        return;
      }
      this.#hasComma = true;
      this.#held += char;
    } else if (this.#expected === 'colon') {
      if (char !== ':') this.#reject('it has a name without a colon');
      else if (this.#append(':', [':'], ':')) this.#expected = 'value';
    } else this.#startValue(char);
  }

  #canClose(char: string): boolean {
    return (
      this.#containers.at(-1)?.closing === char &&
      (this.#expected === 'first name' || this.#expected === 'first item' || this.#expected === 'comma')
    );
  }

  #close(char: string): void {
    this.#dropComma();
    if (!this.#append(char, [char], char)) return;
    this.#containers.pop();
    this.#endValue();
  }

  #dropComma(): void {
    if (!this.#hasComma) return;
    this.#held = this.#held.replace(',', '');
    this.#hasComma = false;
  }

  #startName(char: string): void {
    if (char === '"' || char === "'") this.#token = { kind: 'name', quote: char, name: '', raw: '', pending: '' };
    else if (/[\p{L}_$]/u.test(char)) this.#token = { kind: 'name', quote: '', name: char, raw: char, pending: '' };
    else this.#reject(`it has an unexpected ${JSON.stringify(char)} instead of a name`);
  }

  #startValue(char: string): void {
    this.#countItem();
    if (char === '{' || char === '[') {
      if (!this.#append(char, [char], char)) return;
      this.#containers.push({
        closing: char === '{' ? '}' : ']',
        names: new Set(),
        start: this.#prefix.state,
        at: char === '{' ? '' : -1,
        resumeAt: undefined,
      });
      this.#expected = char === '{' ? 'first name' : 'first item';
    } else if (char === '"' || char === "'") {
      if (!this.#append('"', ['"'], '"')) return;
      this.#quote = char;
      this.#expected = 'string';
    } else if (/[-\d]/.test(char)) this.#token = { kind: 'number', raw: char };
    else if (beginsWord(char)) this.#token = { kind: 'word', raw: char };
    else this.#reject(`it has an unexpected ${JSON.stringify(char)} instead of a value`);
  }

  #countItem(): void {
    const container = this.#containers.at(-1);
    if (typeof container?.at === 'number') container.at++;
  }

  #continueToken(token: Token, char: string): void {
    switch (token.kind) {
      case 'number':
        if (/[-+.\deE]/.test(char)) token.raw += char;
        else if (this.#endNumber(token.raw)) this.#stepAfterToken(char);
        break;
      case 'word':
        token.raw += char;
        this.#continueWord(token.raw);
        break;
      case 'name':
        this.#continueName(token, char);
        break;
      case 'comment':
        this.#continueComment(token, char);
        break;
    }
  }

  /** The character that ended a token is the start of the next one, unless the document has ended. */
  #stepAfterToken(char: string): void {
    if (this.#expected === 'nothing') this.#endedBefore = true;
    else this.#step(char);
  }

  #endNumber(raw: string): boolean {
    this.#token = undefined;
    const canonical = canonicalNumber(raw);
    if (canonical === undefined) return this.#reject(`it has the invalid number ${raw.slice(0, 40)}`);
    const forms = numberForms(raw, canonical, this.#integersHaveNoPoint);
    // The start of a number that the schema allows is accepted by the grammar, and cannot end.
    const after = this.#prefix.peek(this.#withComma(forms));
    if (after && !this.#canEndValue(after)) return this.#reject('it does not match the schema');
    if (!this.#append(canonical, forms, raw)) return false;
    this.#endValue();
    return true;
  }

  #canEndValue(state: State): boolean {
    const closing = this.#containers.at(-1)?.closing;
    if (closing === undefined) return state.canEnd();
    return state.advance(closing) !== undefined || state.advance(',') !== undefined;
  }

  #continueWord(raw: string): void {
    const value = words.get(raw);
    if (value !== undefined) {
      this.#token = undefined;
      if (this.#append(value, [value], value)) this.#endValue();
    } else if (!beginsWord(raw)) this.#reject(`it has the invalid value ${JSON.stringify(raw)}`);
  }

  #continueName(token: Extract<Token, { readonly kind: 'name' }>, char: string): void {
    if (token.quote === '') this.#continueBareName(token, char);
    else if (token.pending !== '') {
      token.pending += char;
      const unit = readEscape(token.pending);
      if (unit === undefined) return;
      if (unit === 'invalid') {
        this.#reject(`it has the invalid escape ${token.pending}`);
        return;
      }
      token.name += unit.value;
      token.raw += unit.text;
      token.pending = '';
    } else if (char === token.quote) this.#endName(token);
    else if (char === '\\') token.pending = char;
    else {
      token.name += char;
      token.raw += escaped(char);
    }
  }

  #continueBareName(token: Extract<Token, { readonly kind: 'name' }>, char: string): void {
    if (isWhitespace(char)) token.pending += char;
    else if (char === ':') {
      if (this.#endName(token)) this.#step(char);
    } else if (token.pending === '' && /[\p{L}\p{N}_$-]/u.test(char)) {
      token.name += char;
      token.raw += char;
    } else this.#reject(`it has an unexpected ${JSON.stringify(char)} after a name`);
  }

  #endName({ name, raw }: { readonly name: string; readonly raw: string }): boolean {
    this.#token = undefined;
    const container = this.#containers.at(-1);
    if (!container) return this.#reject('it has a name outside of an object');
    container.at = name;
    const quoted = JSON.stringify(name);
    if (container.names.has(name)) return this.#repeatName(container, quoted, `"${raw}"`);
    if (!this.#append(quoted, [quoted], `"${raw}"`)) return false;
    container.names.add(name);
    this.#expected = 'colon';
    return true;
  }

  /** The value of a repeated name is read as if it were the first of the object. */
  #repeatName(container: Container, quoted: string, text: string): boolean {
    const afterName = container.start.advance(quoted);
    if (!afterName) return this.#reject(`it has the name ${quoted.slice(0, 100)} twice`);
    container.resumeAt = this.#prefix.state;
    this.#hasRepeatedNames = true;
    const comma = this.#hasComma ? ',' : '';
    if (!this.#appended(this.#prefix.appendTo(afterName, comma + quoted, this.#held + text))) return false;
    this.#expected = 'colon';
    return true;
  }

  #continueComment(token: Extract<Token, { readonly kind: 'comment' }>, char: string): void {
    token.raw += char;
    if (token.raw.length === 2 && char !== '/' && char !== '*') this.#reject('it has an unexpected "/"');
    else if (token.raw.startsWith('/*') ? token.raw.length > 3 && token.raw.endsWith('*/') : char === '\n')
      this.#token = undefined;
  }

  #readInString(char: string): void {
    if (this.#escape !== '') this.#continueEscape(char);
    else if (char === this.#quote) {
      if (this.#append('"', ['"'], '"')) this.#endValue();
    } else if (char === '\\' || isHighSurrogate(char)) this.#escape = char;
    else this.#appendCharacter(char, escaped(char));
  }

  /** Escapes are one unit, and so are the two halves of a character, whether they are escaped or not. */
  #continueEscape(char: string): void {
    const before = this.#escape;
    if (isHighSurrogate(before)) {
      this.#escape = '';
      this.#appendCharacter(before + char, before + char);
      return;
    }
    this.#escape += char;
    // The second half of a surrogate pair follows the first half, which has six characters.
    const second = before.startsWith('\\u') && this.#escape.length > 6 ? this.#escape.slice(6) : undefined;
    const unit = readEscape(second ?? this.#escape);
    if (unit === undefined) return;
    if (unit === 'invalid') {
      this.#reject(`it has the invalid escape ${this.#escape}`);
      return;
    }
    if (second === undefined && isHighSurrogate(unit.value)) return;
    const first = second === undefined ? undefined : readEscape(this.#escape.slice(0, 6));
    const text = second === undefined ? unit.text : this.#escape;
    this.#escape = '';
    this.#appendCharacter((typeof first === 'object' ? first.value : '') + unit.value, text);
  }

  #appendCharacter(character: string, text: string): void {
    const unit = JSON.stringify(character).slice(1, -1);
    this.#append(unit, [unit], text);
  }

  #endValue(): void {
    const container = this.#containers.at(-1);
    this.#expected = container ? 'comma' : 'nothing';
    if (!container?.resumeAt) return;
    this.#prefix.moveTo(container.resumeAt);
    container.resumeAt = undefined;
  }

  /** Appends a unit, with the comma and the whitespace that waited for it. */
  #append(unit: string, forms: readonly Form[], text: string): boolean {
    const comma = this.#hasComma ? ',' : '';
    if (!this.#appended(this.#prefix.append(comma + unit, this.#withComma(forms), this.#held + text))) return false;
    this.#hasContent ||= unit !== '{' && unit !== '[';
    return true;
  }

  #appended(problem: string | undefined): boolean {
    if (problem !== undefined) return this.#reject(problem);
    this.#hasComma = false;
    this.#held = '';
    return true;
  }

  #withComma(forms: readonly Form[]): readonly Form[] {
    if (!this.#hasComma) return forms;
    return forms.map((form) => (typeof form === 'string' ? `,${form}` : form.map((member) => `,${member}`)));
  }

  #reject(problem: string): false {
    this.#rejection ??= { position: this.#position, reason: `${problem} at ${this.#path()}` };
    return false;
  }

  #path(): string {
    let path = '$';
    for (const { at } of this.#containers) {
      if (typeof at === 'number') path += at < 0 ? '' : `[${at}]`;
      else if (at !== '') path += `.${at.slice(0, 100)}`;
    }
    return path;
  }

  /**
   * Ends the text. A number that is the whole document is complete then. If only closing brackets are missing, they are appended.
   *
   * @returns whether brackets were appended; undefined if the document is incomplete.
   */
  end(): { readonly closed: boolean } | undefined {
    if (this.#rejection) return undefined;
    if (this.isComplete) return { closed: false };
    const token = this.#token;
    const number = token?.kind === 'number' ? token.raw : undefined;
    if (token?.kind === 'comment' && token.raw.startsWith('//')) this.#token = undefined;
    const isBetweenTokens = !this.#token && this.#canClose(this.#containers.at(-1)?.closing ?? '');
    if (number === undefined && !isBetweenTokens) {
      this.#reject(endsEarly);
      return undefined;
    }
    const closing = this.#containers.map((container) => container.closing).reverse();
    // A number that is followed by more is not released: it may be incomplete.
    const after = number === undefined ? this.#prefix.state : this.#stateAfterNumber(number);
    if (!after?.advance(closing.join(''))?.canEnd()) {
      this.#reject(endsEarly);
      return undefined;
    }
    if (number !== undefined && !this.#endNumber(number)) return undefined;
    for (const bracket of closing) this.#close(bracket);
    // A repeated name can have been closed before what the object needs.
    return this.rejection ? undefined : { closed: closing.length > 0 };
  }

  #stateAfterNumber(raw: string): State | undefined {
    const canonical = canonicalNumber(raw);
    if (canonical === undefined) return undefined;
    return this.#prefix.peek(this.#withComma(numberForms(raw, canonical, this.#integersHaveNoPoint)));
  }
}

const endsEarly = 'it ends too early';
function beginsWord(raw: string): boolean {
  for (const word of words.keys()) if (word.startsWith(raw)) return true;
  return false;
}

const plain = /[ !#-[\]-~]*/y;

/** The character of an escape and how JSON writes it; undefined if it is incomplete. */
function readEscape(escape: string): { readonly value: string; readonly text: string } | 'invalid' | undefined {
  if (!escape.startsWith('\\')) return 'invalid';
  const kind = escape[1];
  if (kind === undefined) return undefined;
  if (kind === "'") return { value: "'", text: "'" };
  const digits = kind === 'u' ? 4 : kind === 'x' ? 2 : 0;
  if (digits === 0) {
    const value = simpleEscapes.get(kind);
    return value === undefined ? 'invalid' : { value, text: escape };
  }
  const hex = escape.slice(2);
  if (/[^\da-fA-F]/.test(hex)) return 'invalid';
  if (hex.length < digits) return undefined;
  return {
    value: String.fromCharCode(Number.parseInt(hex, 16)),
    text: kind === 'u' ? escape : `\\u00${hex}`,
  };
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** How JSON writes a character that is not escaped in a string. */
function escaped(char: string): string {
  return char === '"' || char < ' ' ? JSON.stringify(char).slice(1, -1) : char;
}

function isHighSurrogate(char: string): boolean {
  return char.length === 1 && (char.charCodeAt(0) & 0xfc00) === 0xd800;
}

function isWhitespace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}
