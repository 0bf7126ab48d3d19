const whitespace = /[\s\uFEFF]*/y;
/** What opens or closes a code block. */
const fence = /(?:```|~~~)[\w+-]{0,32}[ \t]{0,32}\n?/y;
const unfinishedFence = /^(?:`{1,2}|~{1,2}|(?:```|~~~)[\w+-]{0,32}[ \t]{0,32})$/;
const maxFenceLength = 70;
/** Around the thoughts of a model whose server does not separate them. */
const thoughts = { opening: '<think>', closing: '</think>' } as const;

/** Finds where a JSON document begins in a text that grows. Characters that were passed are not looked at again. */
export class DocumentStart {
  readonly #canBegin: (char: string) => boolean;
  #at = 0;
  /** Whether any value can begin: at the start of the text and of a code block. In prose, only brackets can. */
  #canBeValue = true;
  #isThinking = false;

  constructor(canBegin: (char: string) => boolean) {
    this.#canBegin = canBegin;
  }

  /** The position of the first character that can begin a document; undefined if that needs more text. */
  find(text: string, isEnd: boolean): number | undefined {
    while (this.#at < text.length) {
      if (this.#isThinking && !this.#skipThoughts(text)) return undefined;
      if (this.#canBeValue) this.#skip(whitespace, text);
      if (this.#at === text.length) return undefined;
      if (!isEnd && isUnfinished(text, this.#at, this.#canBeValue)) return undefined;
      const char = text[this.#at] ?? '';
      if (this.#skip(fence, text)) this.#canBeValue = true;
      else if (this.#canBeValue && text.startsWith(thoughts.opening, this.#at)) this.#isThinking = true;
      else if ((this.#canBeValue || char === '{' || char === '[') && this.#canBegin(char)) return this.#at;
      else this.continueInProse();
    }
    return undefined;
  }

  /** Where the rest of a document begins: after whitespace and a code fence. Without a fence, the whitespace is part of it. */
  findRest(text: string, isEnd: boolean): number | undefined {
    this.#skip(whitespace, text);
    if (!isEnd && (this.#at === text.length || isUnfinished(text, this.#at, false))) return undefined;
    return this.#skip(fence, text) ? this.#at : 0;
  }

  /** Looks for brackets after the position that was found. */
  continueInProse(): void {
    this.#at++;
    this.#canBeValue = false;
  }

  /** Returns whether there was something to skip. */
  #skip(pattern: RegExp, text: string): boolean {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(text) ?? [];
    this.#at += found.length;
    return found !== '';
  }

  /** Returns whether they have ended. Otherwise the end of the text may be the start of what closes them. */
  #skipThoughts(text: string): boolean {
    const { closing } = thoughts;
    const end = text.indexOf(closing, this.#at);
    this.#isThinking = end < 0;
    this.#at = this.#isThinking ? Math.max(this.#at, text.length - closing.length) : end + closing.length;
    return !this.#isThinking;
  }
}

/** Whether more text decides if there is a fence or, before a value, thoughts. */
function isUnfinished(text: string, at: number, canBeThoughts: boolean): boolean {
  const rest = text.slice(at, at + maxFenceLength);
  return unfinishedFence.test(rest) || (canBeThoughts && rest !== '' && thoughts.opening.startsWith(rest));
}
