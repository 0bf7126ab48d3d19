import type { Readable, Writable } from 'node:stream';

/** The environment of a command besides files and the network. Tests and programs can pass their own. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether each stream is a terminal. */
  readonly isTTY: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Current width in cells. */
  columns(): number;
  /** Current height in lines. */
  rows(): number;
  /** Listens for Ctrl-C. Only the listener that was added last is called. Returns a function that removes it. */
  onInterrupt(listener: () => void): () => void;
  /** Listens for SIGTERM, which otherwise exits the program. */
  onTerminate(listener: () => void): () => void;
  /** Exits the program immediately. */
  quit(code: number): void;
}
