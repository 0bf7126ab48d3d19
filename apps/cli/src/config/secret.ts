import { CliError, usageError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

const MAX_LENGTH = 4096;

/** Reads a secret from a prompt without echo, or from the first line of piped stdin. The rest of stdin is left unread. */
export async function readSecret(terminal: Terminal, prompt: string): Promise<string> {
  const { stderr, isTTY } = terminal;
  if (isTTY.stdin) {
    // Before the prompt, so that early input is not echoed.
    terminal.setRawMode(true);
    stderr.write(prompt);
  }
  try {
    const secret = (await readLine(terminal)).trim();
    if (secret === '') throw usageError('The API key is empty.');
    return secret;
  } finally {
    if (isTTY.stdin) {
      terminal.setRawMode(false);
      stderr.write('\n');
    }
  }
}

async function readLine({ stdin }: Terminal): Promise<string> {
  let line = '';
  // Not an async iterator: leaving it would destroy stdin, which the command still reads.
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      // Paused first, so that data from `unshift` is not lost.
      stdin.pause();
      stdin.off('data', onData);
      stdin.off('end', onEnd);
      stdin.off('error', onError);
    };
    const onEnd = (): void => {
      stop();
      resolve(line);
    };
    const onError = (error: Error): void => {
      stop();
      reject(error);
    };
    const onData = (chunk: Buffer | string): void => {
      // By bytes: data after the line can end in the middle of a character.
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      for (const [at, byte] of bytes.entries()) {
        const character = String.fromCharCode(byte);
        if (character === '\r' || character === '\n' || character === '\u0004') {
          onEnd();
          const after = character === '\r' && bytes[at + 1] === 0x0a ? at + 2 : at + 1;
          if (after < bytes.length) stdin.unshift(bytes.subarray(after));
          return;
        }
        if (character === '\u0003') {
          onError(new CliError(EXIT.interrupted, 'interrupted'));
          return;
        }
        if (character === '\u007f' || character === '\b') line = line.slice(0, -1);
        else line += character;
        if (line.length > MAX_LENGTH) {
          onError(usageError('The API key is too long.'));
          return;
        }
      }
    };
    if (stdin.readableEnded) {
      resolve(line);
      return;
    }
    stdin.on('data', onData);
    stdin.on('end', onEnd);
    stdin.on('error', onError);
    stdin.resume();
  });
}
