/**
 * Takes control sequences out of text that a server sent, before a terminal acts on them: they recolour, move the cursor,
 * rewrite what stands above, set the title, or write the clipboard. Newlines and tabs stay. Sequences that are cut by the
 * border of two pieces are taken out too, so one filter belongs to one stream.
 */
export interface ControlFilter {
  push(text: string): string;
}

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string-escape';

const BEL = 0x07;
const ESC = 0x1b;
/** A string (title, clipboard) that never ends must not swallow all that follows. */
const LONGEST = 4096;

export function createControlFilter(): ControlFilter {
  let state: State = 'text';
  let length = 0;
  return {
    push(text) {
      // The common case: nothing to do, and nothing copied.
      if (state === 'text' && !CONTROLS.test(text)) return text;
      let kept = '';
      for (const character of text) kept += next(character);
      return kept;
    },
  };

  function next(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    if (state !== 'text' && ++length > LONGEST) state = 'text';
    switch (state) {
      case 'text':
        return begin(character, code);
      case 'escape':
        if (character === '[') state = 'csi';
        // OSC, DCS, SOS, PM, APC: a string until BEL or ST.
        else if (']PX^_'.includes(character)) state = 'string';
        else if (code >= 0x20 && code <= 0x2f) state = 'intermediate';
        else return after(character, code);
        return '';
      case 'intermediate':
        if (code >= 0x20 && code <= 0x2f) return '';
        return after(character, code);
      case 'csi':
        if (code >= 0x20 && code <= 0x3f) return '';
        return after(character, code);
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

  function begin(character: string, code: number): string {
    length = 0;
    if (code === ESC) state = 'escape';
    else if (code === 0x9b) state = 'csi';
    else if (code === 0x90 || code === 0x98 || code === 0x9d || code === 0x9e || code === 0x9f) state = 'string';
    else if (isPlain(code)) return character;
    return '';
  }

  /** The last character of a sequence goes with it; one that cannot end a sequence is text again. */
  function after(character: string, code: number): string {
    state = 'text';
    return code >= 0x30 && code <= 0x7e ? '' : begin(character, code);
  }
}

/** The same for a text that is there as a whole. */
export function withoutControls(text: string): string {
  return createControlFilter().push(text);
}

/** A whole text for one cell or one line: what would break the line is a space. */
export function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** JSON for a terminal: the same value, and nothing in it that a terminal acts on. */
export function jsonLine(value: unknown): string {
  const escape = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]/g, escape);
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

function isPlain(code: number): boolean {
  return code === 0x09 || code === 0x0a || (code >= 0x20 && code < 0x7f) || code > 0x9f;
}
