import { createControlFilter } from '../output/controls.ts';
import type { Printer } from '../output/printer.ts';

export interface ReplyWriterOptions {
  /** Render Markdown. */
  readonly markdown: boolean;
  /** Write nothing: the reply is printed in another form. */
  readonly silent: boolean;
  /** Width of the terminal. */
  columns(): number;
}

/** Writes a reply to stdout while it is received. */
export interface ReplyWriter {
  write(text: string): Promise<void>;
  /** Writes buffered text, and a newline unless the text ends with one. */
  end(): Promise<void>;
}

/** The Markdown renderer is loaded only when it is used. */
export async function openReplyWriter(
  print: Printer,
  { markdown, silent, columns }: ReplyWriterOptions,
): Promise<ReplyWriter> {
  const filter = createControlFilter();
  const redactor = print.createRedactor();
  const renderer = markdown ? (await import('../markdown/render.ts')).createMarkdown(print.style, columns) : undefined;
  let last = '\n';
  const output = async (text: string): Promise<void> => {
    if (text === '') return;
    last = text.slice(-1);
    await print.raw(text);
  };
  const render = async (text: string): Promise<void> => output(renderer === undefined ? text : renderer.push(text));
  return {
    async write(text) {
      if (silent) return;
      await render(redactor.push(print.isTTY ? filter.push(text) : text));
    },
    async end() {
      if (silent) return;
      await render(redactor.end());
      if (renderer !== undefined) await output(renderer.end());
      if (last !== '\n') await output('\n');
    },
  };
}
