import type { App } from '../app.ts';
import { createApp } from '../run.ts';
import { createPrinter } from '../output/printer.ts';
import { fakeTerminal } from './fake-terminal.ts';
import type { FakeOptions } from './fake-terminal.ts';

/** What commands share, on a terminal without input. */
export function fakeApp(options: FakeOptions = { cwd: '/' }): App {
  const terminal = fakeTerminal(options);
  const print = createPrinter(terminal, { json: false, quiet: false, noColor: true });
  return createApp(terminal, print, new AbortController().signal);
}
