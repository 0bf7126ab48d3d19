/**
 * Removes control sequences from text of a server, so that it cannot change colors, move the cursor, overwrite earlier output, set the
 * title or write the clipboard of a terminal. Newlines and tabs are kept. A sequence can span two chunks, so each stream needs its own
 * filter.
 */
export interface ControlFilter {
  push(text: string): string;
}

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string-escape';

const BEL = 0x07;
const ESC = 0x1b;
/** Limits a sequence that never ends, so that it does not remove all text after it. */
const MAX_LENGTH = 4096;

export function createControlFilter(): ControlFilter {
  let state: State = 'text';
  let length = 0;
  return {
    push(text) {
      // The common case: no control characters.
      if (state === 'text' && !CONTROLS.test(text)) return text;
      let result = '';
      for (const character of text) result += next(character);
      return result;
    },
  };

  function next(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    if (state !== 'text' && ++length > MAX_LENGTH) state = 'text';
    switch (state) {
      case 'text':
        return startSequence(character, code);
      case 'escape':
        if (character === '[') state = 'csi';
        // OSC, DCS, SOS, PM and APC: a string that ends with BEL or ST.
        else if (']PX^_'.includes(character)) state = 'string';
        else if (code >= 0x20 && code <= 0x2f) state = 'intermediate';
        else return endSequence(character, code);
        return '';
      case 'intermediate':
        if (code >= 0x20 && code <= 0x2f) return '';
        return endSequence(character, code);
      case 'csi':
        if (code >= 0x20 && code <= 0x3f) return '';
        return endSequence(character, code);
      case 'string':
        if (code === ESC) state = 'string-escape';
        else if (code === BEL || code === 0x9c) state = 'text';
        return '';
      case 'string-escape':
        if (character === '\\') state = 'text';
        else if (code !== ESC) state = 'string';
        return '';
    }
  }

  function startSequence(character: string, code: number): string {
    length = 0;
    if (code === ESC) state = 'escape';
    else if (code === 0x9b) state = 'csi';
    else if (code === 0x90 || code === 0x98 || code === 0x9d || code === 0x9e || code === 0x9f) state = 'string';
    else if (isPlain(code)) return character;
    return '';
  }

  /** Removes the last character of a sequence. A character that cannot end a sequence is text. */
  function endSequence(character: string, code: number): string {
    state = 'text';
    return code >= 0x30 && code <= 0x7e ? '' : startSequence(character, code);
  }
}

/** Removes control sequences from a complete text. */
export function withoutControls(text: string): string {
  return createControlFilter().push(text);
}

/** Makes a text a single line without control sequences. */
export function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** JSON on a single line, with control characters escaped for terminals. */
export function jsonLine(value: unknown): string {
  const escape = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]/g, escape);
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

function isPlain(code: number): boolean {
  return code === 0x09 || code === 0x0a || (code >= 0x20 && code < 0x7f) || code > 0x9f;
}
