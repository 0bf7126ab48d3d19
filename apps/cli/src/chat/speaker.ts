import { createControlFilter } from '../output/controls.ts';
import type { Printer } from '../output/printer.ts';

export interface SpeakerOptions {
  readonly markdown: boolean;
  /** Nothing is said: the answer goes out in another form. */
  readonly silent: boolean;
  columns(): number;
}

/** Writes an answer as it comes. */
export interface Speaker {
  say(text: string): Promise<void>;
  /** Ends the line where it is not ended, and what is held back. */
  end(): Promise<void>;
}

export function createSpeaker(print: Printer, { silent }: SpeakerOptions): Speaker {
  const filter = createControlFilter();
  let last = '\n';
  return {
    async say(text) {
      if (silent || text === '') return;
      const clean = print.isTTY ? filter.push(text) : text;
      if (clean === '') return;
      last = clean.slice(-1);
      await print.raw(clean);
    },
    async end() {
      if (silent || last === '\n') return;
      last = '\n';
      await print.raw('\n');
    },
  };
}
