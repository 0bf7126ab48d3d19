import type { FileField } from '@modelwire/schema';
import { FILE_MAX_BYTES } from '@modelwire/schema';
import { bodyTooLarge, fileTooLarge, invalid, uploadTimeout } from '../../errors.ts';
import { formOverhead } from './form-limits.ts';
import type { IncomingFile } from './form-parser.ts';
import { BodyTimer, checkIntervalMs } from '../../limits/body-timeouts.ts';
import type { BodyTimeouts } from '../../limits/body-timeouts.ts';

export interface FormSource {
  readonly contentType: string;
  /** As declared by the client. */
  readonly contentLength: string | null;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface FormRules<Stored> extends BodyTimeouts {
  /** The files that the form may have. Others are refused. */
  readonly files: readonly FileField[];
  /** Names of text fields, for the error if a file is sent instead. */
  readonly textNames: readonly string[];
  /** Stores a file as it arrives. If it throws, the form is refused with its error. */
  readonly storeFile: (file: FormFile) => Promise<Stored>;
  /** Validates the text fields so far, before a file is stored. @throws the error to refuse the form with. */
  readonly check: (fields: readonly (readonly [string, string])[]) => void;
  /** Stops reading. */
  readonly signal: AbortSignal;
}

export interface FormFile extends Pick<IncomingFile, 'field' | 'filename' | 'mediaType'> {
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface Form<Stored> {
  readonly fields: readonly (readonly [string, string])[];
  readonly files: ReadonlyMap<string, Stored>;
}

export const isForm = (contentType: string | null): boolean =>
  contentType !== null && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);

/**
 * Reads a form as it arrives: text fields are collected, each file is passed to `storeFile`. Reads no faster than files are stored, and holds
 * only a few chunks in memory. If the form is refused, the rest of the body is not read, and every `storeFile` has ended before this rejects.
 *
 * @throws a 400, 408 or 413, what `storeFile` threw, or the signal's reason.
 */
export async function readForm<Stored>(source: FormSource, rules: FormRules<Stored>): Promise<Form<Stored>> {
  const maxBytes = maxFormBytes(rules.files);
  assertContentLength(source.contentLength, rules.files, maxBytes);
  // Loaded with the first form: runtimes without Node's streams can serve everything else.
  const { openFormParser } = await import('./form-parser.ts');

  const fields: [string, string][] = [];
  const files = new Map<string, Stored>();
  const receivedNames = new Set<string>();
  const pendingFiles: Promise<void>[] = [];
  const streams: IncomingFile['stream'][] = [];
  const parsed = Promise.withResolvers<undefined>();
  let failure: Error | undefined;

  function fail(thrown: unknown): void {
    if (failure) return;
    failure = thrown instanceof Error ? thrown : new Error('a form could not be read', { cause: thrown });
    for (const stream of streams) stream.destroy(failure);
    parser.destroy();
    parsed.resolve(undefined);
  }

  async function receiveFile(file: IncomingFile, { name, maxBytes: max = FILE_MAX_BYTES }: FileField): Promise<void> {
    try {
      const { field, filename, mediaType, stream } = file;
      const bytes = limitBytes(stream, max, () => {
        const error = fileTooLarge(name, max);
        fail(error);
        return error;
      });
      files.set(field, await rules.storeFile({ field, filename, mediaType, bytes }));
    } catch (error) {
      fail(error);
    }
  }

  const parser = openFormParser(source.contentType, new Set(rules.files.map(({ name }) => name)), {
    field(name, value) {
      if (rules.files.some((file) => file.name === name)) fail(invalidType(name, 'a file', 'text'));
      else fields.push([name, value]);
    },
    file(incoming) {
      streams.push(incoming.stream);
      const definition = rules.files.find(({ name }) => name === incoming.field);
      try {
        if (!definition) throw unknownFile(incoming.field, rules.textNames);
        if (receivedNames.has(definition.name)) throw duplicateParameter(definition.name);
        rules.check(fields);
      } catch (error) {
        fail(error);
        return;
      }
      receivedNames.add(definition.name);
      pendingFiles.push(receiveFile(incoming, definition));
    },
    failed: fail,
    ended: () => parsed.resolve(undefined),
  });

  const bodyTimer = new BodyTimer(rules, performance.now());
  const timer = setInterval(() => {
    if (bodyTimer.hasTimedOut(performance.now())) fail(uploadTimeout());
  }, checkIntervalMs(rules));
  const onAbort = (): void => fail(rules.signal.reason);
  rules.signal.addEventListener('abort', onAbort);
  if (rules.signal.aborted) onAbort();

  async function readBody(): Promise<void> {
    let total = 0;
    try {
      bodyTimer.resume(performance.now());
      for await (const bytes of source.bytes) {
        bodyTimer.receive(bytes.byteLength, performance.now());
        if (failure) return;
        total += bytes.byteLength;
        if (total > maxBytes) throw bodyTooLarge(maxBytes);
        // The idle timer is paused while the files take what has arrived.
        await parser.write(bytes);
        bodyTimer.resume(performance.now());
      }
      parser.end();
    } catch (error) {
      fail(error);
    } finally {
      bodyTimer.pause(performance.now());
    }
  }
  const reading = readBody();
  try {
    await parsed.promise;
    await Promise.all(pendingFiles);
    // The epilogue belongs to the request, too.
    if (!failure) await reading;
  } finally {
    clearInterval(timer);
    rules.signal.removeEventListener('abort', onAbort);
  }
  if (failure) throw failure;
  for (const { name, required } of rules.files) if (required && !files.has(name)) throw missingFile(name);
  return { fields, files };
}

async function* limitBytes(stream: AsyncIterable<Uint8Array>, max: number, exceeded: () => Error) {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > max) throw exceeded();
    yield chunk;
  }
}

function maxFormBytes(files: readonly FileField[]): number {
  return files.reduce((sum, { maxBytes = FILE_MAX_BYTES }) => sum + maxBytes, formOverhead);
}

/** Refuses a body that is too large by its declared length, before it is sent. */
function assertContentLength(declared: string | null, files: readonly FileField[], maxBytes: number): void {
  if (declared === null || Number(declared) <= maxBytes) return;
  const [only, ...others] = files;
  throw only && others.length === 0 ? fileTooLarge(only.name, only.maxBytes ?? FILE_MAX_BYTES) : bodyTooLarge(maxBytes);
}

const missingFile = (name: string) =>
  invalid(name, `Missing required parameter: '${name}', a file.`, 'missing_required_parameter');
const duplicateParameter = (name: string) => invalid(name, `The parameter '${name}' is given more than once.`);
const invalidType = (name: string, expected: string, actual: string) =>
  invalid(name, `Invalid type for '${name}': expected ${expected}, but got ${actual} instead.`, 'invalid_type');

function unknownFile(name: string, textNames: readonly string[]) {
  const shortName = name.slice(0, 100);
  const parameter = /^[^[]*/.exec(name)?.[0] ?? name;
  return textNames.includes(parameter)
    ? invalidType(shortName, 'text', 'a file')
    : invalid(shortName, `Unknown parameter: '${shortName}'.`, 'unknown_parameter');
}
