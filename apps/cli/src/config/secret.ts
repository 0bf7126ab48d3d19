import { ask } from '../ask.ts';
import { usageError } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

const MAX_BYTES = 4096;

/** Reads a secret from a prompt without echo, or from the first line of piped stdin. The rest of stdin is left unread. */
export async function readSecret(terminal: Terminal, prompt: string): Promise<string> {
  const secret = (terminal.isTTY.stdin ? await ask(terminal, prompt, true) : await readFirstLine(terminal)).trim();
  if (secret === '') throw usageError('The API key is empty.');
  return secret;
}

async function readFirstLine({ stdin }: Terminal): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving an ordinary iterator would destroy stdin, which the command still reads.
  for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk as Uint8Array);
    const end = bytes.indexOf('\n');
    chunks.push(end === -1 ? bytes : bytes.subarray(0, end));
    length += bytes.length;
    if (end !== -1) {
      stdin.unshift(bytes.subarray(end + 1));
      break;
    }
    if (length > MAX_BYTES) throw usageError('The API key is too long.');
  }
  return Buffer.concat(chunks).toString();
}
