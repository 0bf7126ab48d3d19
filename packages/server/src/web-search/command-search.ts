import { killGroup, spawnCommand } from '../child-process.ts';
import type { Command } from '../child-process.ts';
import type { WebSearch } from '@modelwire/ports';
import { maxReplyBytes, parseReply } from './search-reply.ts';

export interface CommandSearchOptions extends Command {
  /** Milliseconds that it may take. Default 10,000. */
  readonly timeoutMs?: number;
}

/**
 * A web search by an external program: it receives the query as JSON on its standard input and prints `{ "results": [{ "title", "url", "text"
 * }] }`. It runs without a shell, in its own process group, which is killed when the search has ended, timed out or printed more than 1 MiB.
 *
 * @throws TypeError for invalid options.
 */
export function commandSearch({ timeoutMs = 10_000, ...command }: CommandSearchOptions): WebSearch {
  if (command.command === '') throw new TypeError('commandSearch: command must not be empty');
  checkTimeout('commandSearch', timeoutMs);
  return {
    name: 'command',
    async search(query, { signal }) {
      const deadlineSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      deadlineSignal.throwIfAborted();
      return parseReply(await runCommand(command, { input: JSON.stringify(query), signal: deadlineSignal }));
    },
  };
}

/** @throws TypeError */
export function checkTimeout(functionName: string, timeoutMs: number): void {
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs >= 2 ** 31) {
    throw new TypeError(`${functionName}: timeoutMs must be an integer of at least 1`);
  }
}

interface RunInit {
  readonly input: string;
  readonly signal: AbortSignal;
}

function runCommand(command: Command, { input, signal }: RunInit): Promise<string> {
  const child = spawnCommand(command);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const finish = (error?: Error): void => {
      signal.removeEventListener('abort', onAbort);
      killGroup(child);
      child.stdout.destroy();
      if (error) reject(error);
      else resolve(Buffer.concat(pieces).toString('utf8'));
    };
    const onAbort = (): void =>
      finish(signal.reason instanceof Error ? signal.reason : new Error('the search is no longer needed'));
    signal.addEventListener('abort', onAbort, { once: true });
    // A program that does not read its query closes the pipe.
    child.stdin.on('error', () => undefined).end(input);
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxReplyBytes) finish(new Error(`the search printed more than ${maxReplyBytes} bytes`));
      else pieces.push(piece);
    });
    child.on('error', (error) => finish(new Error('the search could not be started', { cause: error })));
    child.on('close', (code) =>
      finish(code === 0 ? undefined : new Error(`the search ended with ${code ?? 'a signal'}`)),
    );
  });
}
