import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config/config-error.ts';
import { displaySource, errorCause } from './model-source.ts';

export interface DownloadFileOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Called whenever bytes have arrived; `received` includes those of an interrupted download. */
  readonly onProgress: (received: number, total: number) => void;
  /** Waits before new attempts after a lost connection, in milliseconds. They start over when an attempt receives bytes. */
  readonly retryDelaysMs?: readonly number[];
}

/** What an interrupted download must find again on the server before it may resume. */
interface PartState {
  readonly size: number;
  /** Strong `ETag`, or `Last-Modified`. */
  readonly validator: string;
}

/** The connection failed: the next attempt resumes. */
class ConnectionError extends Error {}

/**
 * Downloads a GGUF file. The bytes are appended to `<path>.part`, which gets its name when its size is the one that the server stated.
 * After an interruption, also by the end of the process, the next call resumes if the file on the server is the same.
 *
 * @throws {ConfigError} that names the URL and the fix.
 */
export async function downloadFile(url: URL, path: string, options: DownloadFileOptions): Promise<void> {
  const { retryDelaysMs = [1000, 2000, 4000, 8000, 16_000] } = options;
  let attempt = 0;
  for (;;) {
    const before = await fileSize(`${path}.part`);
    try {
      await receive(url, path, options);
      return;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if ((await fileSize(`${path}.part`)) > before) attempt = 0;
      const delayMs = retryDelaysMs[attempt++];
      if (delayMs === undefined)
        throw failure(url, error.message, 'Check the URL and the network, and start again: the download resumes.');
      await sleep(delayMs);
    }
  }
}

async function receive(url: URL, path: string, { headers, onProgress }: DownloadFileOptions): Promise<void> {
  const part = `${path}.part`;
  const state = await readState(part);
  let start = state ? await fileSize(part) : 0;
  if (!state || start < state.size) {
    const isResumed = state !== undefined && start > 0;
    const response = await request(url, {
      ...headers,
      'accept-encoding': 'identity',
      ...(isResumed && { range: `bytes=${start}-`, 'if-range': state.validator }),
    });
    // The server ignores the range if the file has changed: the response is the complete file.
    if (response.status !== 206 || !isResumed) start = 0;
    const size = statedSize(response, start);
    if (size === undefined || (start > 0 && size !== state?.size)) {
      await response.body?.cancel();
      await removePart(part);
      throw isResumed
        ? new ConnectionError('the file changed on the server')
        : failure(
            url,
            'the server does not state the size of the file (Content-Length)',
            'Use a server that does, or download the file yourself and set its path.',
          );
    }
    if (start === 0) await writeState(part, { size, validator: validatorOf(response) });
    const onChunk = (bytes: number): void => onProgress((start += bytes), size);
    await save(url, response, part, { flags: start === 0 ? 'w' : 'a', onChunk });
    const received = await fileSize(part);
    if (received < size) throw new ConnectionError(`the server sent ${received} of ${size} bytes`);
    if (received > size) {
      await removePart(part);
      throw failure(
        url,
        `the server sent more than the ${size} bytes that it stated`,
        'Download the file yourself and set its path.',
      );
    }
  }
  await checkFormat(url, part);
  await rename(part, path);
  await removePart(part);
}

async function request(url: URL, headers: Readonly<Record<string, string>>): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { headers });
  } catch (error) {
    throw new ConnectionError(errorCause(error), { cause: error });
  }
  // 416: there are no bytes after those of the interrupted download, because the file has changed.
  if ([200, 206, 416].includes(response.status)) return response;
  await response.body?.cancel();
  const problem = `the server returned ${response.status}`;
  if (response.status >= 500 || response.status === 429) throw new ConnectionError(problem);
  throw failure(
    url,
    problem,
    'Check the URL; gated and private models of Hugging Face (hf:user/model:quant) need HF_TOKEN.',
  );
}

/** Writes the body to the file. Errors of the disk are distinguished from those of the connection, because they are not retried. */
async function save(
  url: URL,
  { body }: Response,
  part: string,
  { flags, onChunk }: { readonly flags: 'a' | 'w'; readonly onChunk: (bytes: number) => void },
): Promise<void> {
  try {
    const file = await open(part, flags, 0o600);
    try {
      const chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[] = body ?? [];
      for await (const chunk of chunks) {
        await file.appendFile(chunk);
        onChunk(chunk.length);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw failure(
        url,
        `cannot write ${part}: ${error.message}`,
        'Free disk space or set MODELWIRE_DATA to another folder, and start again: the download resumes.',
      );
    throw new ConnectionError(errorCause(error), { cause: error });
  }
}

/** The size of the complete file; undefined if the server does not state it, or if the range is not the requested one. */
function statedSize({ status, headers }: Response, start: number): number | undefined {
  const length = headers.get('content-length');
  if (status === 200) return length === null ? undefined : Number(length);
  if (status !== 206) return undefined;
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  return Number(first) === start && total !== undefined ? Number(total) : undefined;
}

function validatorOf({ headers }: Response): string {
  const etag = headers.get('etag');
  return (etag?.startsWith('"') ? etag : headers.get('last-modified')) ?? '';
}

/** The state of an interrupted download; undefined if there is none, or if the server gave nothing to recognize the file by. */
async function readState(part: string): Promise<PartState | undefined> {
  try {
    const state: unknown = JSON.parse(await readFile(`${part}.json`, 'utf8'));
    if (!state || typeof state !== 'object' || !('size' in state) || !('validator' in state)) return undefined;
    const { size, validator } = state;
    if (typeof size !== 'number' || typeof validator !== 'string' || validator === '') return undefined;
    return { size, validator };
  } catch {
    return undefined;
  }
}

/** The old bytes go first: they must not be taken for those of the new file. */
async function writeState(part: string, state: PartState): Promise<void> {
  await rm(part, { force: true });
  await writeFile(`${part}.json`, JSON.stringify(state), { mode: 0o600 });
}

async function removePart(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(`${part}.json`, { force: true });
}

/** Refuses web pages, such as those that ask to log in. */
async function checkFormat(url: URL, part: string): Promise<void> {
  const file = await open(part);
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0).finally(() => file.close());
  if (buffer.toString('latin1') === 'GGUF') return;
  await removePart(part);
  throw failure(url, 'it is not a GGUF file', 'Set the URL of the file itself, not of a page about it.');
}

/** Bytes of a file; 0 if it does not exist. */
export async function fileSize(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

function failure(url: URL, problem: string, fix: string): ConfigError {
  return new ConfigError(`Cannot download ${displaySource(url.href)}: ${problem}. ${fix}`);
}
