import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { killGroup, spawnCommand } from '../child-process.ts';
import type { Command } from '../child-process.ts';
import type { Redaction } from '../options/types.ts';

export interface CommandRedactionOptions extends Command {
  /** Milliseconds that it may take until its next line. Default 60,000. */
  readonly timeoutMs?: number;
}

/** Bytes of a line that the program may print. */
const maxLineBytes = 64 * 1024 ** 2;

/**
 * Redacts datasets by an external program: it receives lines of JSON on its standard input, and prints each of them redacted, in the same order. It runs
 * once for each dataset, without a shell, in its own process group, which is killed at the end, when a line takes too long, or when one is longer than
 * 64 MiB.
 *
 * @throws TypeError for invalid options.
 */
export function commandRedaction({ timeoutMs = 60_000, ...command }: CommandRedactionOptions): Redaction {
  if (command.command === '') throw new TypeError('commandRedaction: command must not be empty');
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs >= 2 ** 31)
    throw new TypeError('commandRedaction: timeoutMs must be an integer of at least 1');
  return {
    async *redact(lines, { signal }) {
      signal.throwIfAborted();
      const child = spawnCommand(command);
      const stopped = new AbortController();
      const stop = (reason: unknown): void => {
        stopped.abort(reason);
        killGroup(child);
      };
      const onAbort = (): void => stop(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const exited = new Promise<number | null>((resolve) => {
        child.on('close', resolve);
        child.on('error', (error) => stop(new Error('the program could not be started', { cause: error })));
      });
      // A program that does not read its input closes the pipe.
      child.stdin.on('error', () => undefined);
      const written = writeLines(child.stdin, lines, stopped.signal).catch(stop);
      const timer = setTimeout(() => stop(new Error(`the program printed nothing for ${timeoutMs} ms`)), timeoutMs);
      try {
        const input = Readable.from(limitLines(child.stdout));
        for await (const line of createInterface({ input, crlfDelay: Infinity })) {
          timer.refresh();
          yield line;
        }
        const code = await exited;
        await written;
        stopped.signal.throwIfAborted();
        if (code !== 0) throw new Error(`the program ended with ${code ?? 'a signal'}`);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        stop(new Error('the lines are not needed'));
      }
    },
  };
}

async function writeLines(
  stdin: NodeJS.WritableStream,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  for await (const line of lines) {
    if (signal.aborted) return;
    if (!stdin.write(`${line}\n`)) await once(stdin, 'drain', { signal });
  }
  stdin.end();
}

/** @throws for a line that is longer than `maxLineBytes`, before it is in memory. */
async function* limitLines(output: Readable): AsyncGenerator<Buffer> {
  let open = 0;
  for await (const piece of output as AsyncIterable<Buffer>) {
    const last = piece.lastIndexOf('\n');
    open = last === -1 ? open + piece.length : piece.length - last - 1;
    if (open > maxLineBytes) throw new Error(`the program printed a line of more than ${maxLineBytes} bytes`);
    yield piece;
  }
}
