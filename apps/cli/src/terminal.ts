import type { Readable, Writable } from 'node:stream';

/** Everything a command may touch of the world it runs in, but for files and the network: so that one can be run in process. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether a person is at the other end. */
  readonly isTTY: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Width in cells, asked anew since windows are resized. */
  columns(): number;
  /** Whether the keyboard is read key by key, without echo. No effect where stdin is no terminal. */
  setRawMode(raw: boolean): void;
  /** Ctrl-C. The listener that came last is the only one told; call what is returned to step back. */
  onInterrupt(listener: () => void): () => void;
  /** SIGTERM. Without a listener it ends the program, as ever. */
  onTerminate(listener: () => void): () => void;
  /** Ends the program at once: for who does not want to wait. */
  quit(code: number): void;
}
