import type { App } from '../app.ts';
import { withoutControls } from '../output/controls.ts';

/** Writes a reply to stdout while it is received. */
export interface ReplyWriter {
  write(text: string): Promise<void>;
  /** Writes buffered text, and a newline unless the text ends with one. */
  end(): Promise<void>;
}

interface RenderingFlags {
  readonly plain?: boolean;
  readonly schema?: string;
}

/** Renders Markdown on a terminal. `silent` writes nothing: the reply is printed in another form. */
export async function openReplyWriter(
  { terminal, print }: App,
  { plain = false, schema }: RenderingFlags,
  { silent = false } = {},
): Promise<ReplyWriter> {
  const redactor = print.createRedactor();
  const isRendered = print.isTTY && print.style.enabled && !plain && schema === undefined;
  // Loaded only when it is used.
  const renderer = isRendered
    ? (await import('../markdown/render.ts')).createMarkdown(print.style, () => terminal.columns())
    : undefined;
  let last = '\n';
  const output = async (text: string): Promise<void> => {
    if (text === '') return;
    last = text.slice(-1);
    await print.raw(text);
  };
  const render = async (text: string): Promise<void> => output(renderer === undefined ? text : renderer.push(text));
  return {
    async write(text) {
      if (!silent) await render(redactor.push(print.isTTY ? withoutControls(text) : text));
    },
    async end() {
      if (silent) return;
      await render(redactor.end());
      if (renderer !== undefined) await output(renderer.end());
      if (last !== '\n') await output('\n');
    },
  };
}
