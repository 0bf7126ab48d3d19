import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Terminal } from '../terminal.ts';
import { jsonLine, oneLine, withoutControls } from './controls.ts';
import { createProgress } from './progress.ts';
import { createRedactor, redact } from './redact.ts';
import { createStyle, wantsColor } from './style.ts';
import { alignedTable, tabbedTable } from './table.ts';
import type { Column } from './table.ts';
import { widthOf } from './width.ts';

/** Pages of rows, or all rows as one page. */
export type Pages<Row> = AsyncIterable<readonly Row[]> | readonly Row[];

/** Names and values of a record, in output order. */
export type Fields = readonly (readonly [name: string, value: string | number | null | undefined])[];

export type Printer = ReturnType<typeof createPrinter>;

export interface PrinterOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly noColor: boolean;
}

/** All output of a command: applies `--json` and `--quiet`, formats for terminals or pipes, and redacts secrets. */
export function createPrinter(terminal: Terminal, { json, quiet, noColor }: PrinterOptions) {
  const { stdout, stderr, isTTY } = terminal;
  const style = createStyle(wantsColor(terminal, 'stdout', noColor));
  const marks = createStyle(wantsColor(terminal, 'stderr', noColor));
  const progress = createProgress(terminal, quiet);
  const secrets: string[] = [];
  const redacted = (text: string): string => redact(text, secrets);
  const print = (text: string): Promise<void> => {
    progress.clear();
    return write(stdout, redacted(text));
  };

  function printNote(line: string): void {
    if (quiet) return;
    progress.clear();
    stderr.write(`${redacted(oneLine(line))}\n`);
  }

  return {
    json,
    quiet,
    /** Whether stdout is a terminal. */
    isTTY: isTTY.stdout,
    style,
    progress,
    /** Prints a record: a line of JSON, or its fields. */
    async record(value: unknown, fields: Fields): Promise<void> {
      if (json) return print(`${jsonLine(value)}\n`);
      const presentFields = fields.filter(([, text]) => text !== undefined && text !== null && text !== '');
      const width = Math.max(0, ...presentFields.map(([name]) => widthOf(name)));
      const lines = presentFields.map(([name, text]) => {
        const displayed = isTTY.stdout ? withoutControls(String(text)) : String(text);
        const first = isTTY.stdout ? style('dim', name.padEnd(width)) + '  ' : `${name}\t`;
        return first + displayed.replaceAll('\n', isTTY.stdout ? `\n${' '.repeat(width + 2)}` : ' ');
      });
      return print(lines.map((line) => `${line}\n`).join(''));
    },
    /** Prints rows page by page: a line of JSON for each, or a table. `empty` is printed on stderr if there are none. */
    async rows<Row>(pages: Pages<Row>, columns: readonly Column<Row>[], empty: string): Promise<void> {
      let isEmpty = true;
      for await (const page of Symbol.asyncIterator in pages ? pages : [pages]) {
        if (page.length === 0) continue;
        if (json) await print(page.map((row) => `${jsonLine(row)}\n`).join(''));
        else if (isTTY.stdout) await print(alignedTable(page, columns, terminal.columns(), style));
        else await print(tabbedTable(page, columns));
        isEmpty = false;
      }
      if (isEmpty && !json && !quiet && isTTY.stderr) stderr.write(`${empty}\n`);
    },
    /** Prints a line of JSON. */
    value: (value: unknown): Promise<void> => print(`${jsonLine(value)}\n`),
    /** Prints the result of a change: a line of JSON, or a note. */
    async done(value: unknown, note: string): Promise<void> {
      if (json) return print(`${jsonLine(value)}\n`);
      printNote(note);
    },
    /** Prints text on stdout, without control sequences if it is a terminal. */
    text: (text: string): Promise<void> => print(isTTY.stdout ? withoutControls(text) : text),
    /** Writes bytes to stdout, unchanged. */
    bytes: (bytes: Uint8Array): Promise<void> => write(stdout, bytes),
    /** Prints text of this program, which can contain styles, on stdout. */
    raw: print,
    /** Prints a line on stderr, unless `--quiet` is set. */
    note: printNote,
    /** Prints a warning on stderr, also with `--quiet`. */
    warn(line: string): void {
      progress.clear();
      stderr.write(`${marks('yellow', 'warning:')} ${redacted(oneLine(line))}\n`);
    },
    /** Prints an error and its hint on stderr. */
    error(message: string, hint: string | undefined): void {
      progress.clear();
      const text = isTTY.stderr ? withoutControls(message) : message;
      stderr.write(`${marks('red', 'error:')} ${redacted(text)}\n`);
      if (hint !== undefined) stderr.write(`${marks('dim', redacted(hint))}\n`);
    },
    /** Prints an error as JSON on stderr. */
    problem: (value: unknown): void => void stderr.write(redacted(`${jsonLine(value)}\n`)),
    /** Redacts a secret in all further output. Ignores a secret of fewer than eight characters, which can be part of other words. */
    hide(secret: string): void {
      if (secret.length >= 8) secrets.push(secret);
    },
    /** Redacts the secrets in text that is printed in pieces. */
    createRedactor: () => createRedactor(secrets),
  };
}

/** Writes with backpressure. Rejects when the reader has closed the stream. */
export async function write(stream: Writable, data: string | Uint8Array): Promise<void> {
  if (stream.destroyed || stream.errored !== null) throw brokenPipe();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const onError = (error: Error): void => failed.reject(error);
  stream.once('error', onError);
  try {
    if (!stream.write(data)) await Promise.race([failed.promise, once(stream, 'drain')]);
  } finally {
    stream.off('error', onError);
  }
}

function brokenPipe(): Error {
  return Object.assign(new Error('The reader of the output has closed it.'), { code: 'EPIPE' });
}
