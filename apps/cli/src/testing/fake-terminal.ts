import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { run } from '../run.ts';
import type { Terminal } from '../terminal.ts';

export interface FakeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Keep stdin open for later input. */
  readonly typing?: boolean;
  readonly tty?: { readonly stdin?: boolean; readonly stdout?: boolean; readonly stderr?: boolean };
  readonly columns?: number;
  readonly cwd?: string;
}

export interface FakeTerminal extends Terminal {
  /** All output so far. */
  out(): string;
  err(): string;
  type(text: string): void;
  /** Closes stdin. */
  end(): void;
  /** Ctrl-C. */
  interrupt(): void;
}

/** A folder that is deleted after the test. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'modelwire-cli-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A terminal with its own folder and environment, whose streams are pipes unless `tty` is given. */
export function fakeTerminal({
  env,
  stdin,
  typing,
  tty,
  columns = 80,
  cwd = folder(),
}: FakeOptions = {}): FakeTerminal {
  const input = new PassThrough();
  if (stdin !== undefined) input.write(stdin);
  if (typing !== true) input.end();
  const out = collector();
  const err = collector();
  const listeners: (() => void)[] = [];
  return {
    stdin: input,
    stdout: out.stream,
    stderr: err.stream,
    isTTY: { stdin: false, stdout: false, stderr: false, ...tty },
    env: { HOME: cwd, PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...env },
    cwd,
    columns: () => columns,
    rows: () => 24,
    onInterrupt(listener) {
      listeners.push(listener);
      return () => void listeners.splice(listeners.lastIndexOf(listener), 1);
    },
    onTerminate: () => () => undefined,
    quit: () => undefined,
    out: out.text,
    err: err.text,
    type: (text) => void input.write(text),
    end: () => void input.end(),
    interrupt: () => listeners.at(-1)?.(),
  };
}

function collector(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command and collects its output. */
export async function runCommand(words: readonly string[], options: FakeOptions = {}): Promise<CommandResult> {
  const terminal = fakeTerminal(options);
  const code = await run(words, terminal);
  return { code, out: terminal.out(), err: terminal.err() };
}

/** Parses the lines of `--json`. */
export function lines(out: string): unknown[] {
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
