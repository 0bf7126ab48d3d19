import type { Batch, BatchError, BatchInputLine } from '@modelwire/schema/types';
import { isRecord, yieldToEventLoop } from '@modelwire/adapter-kit';
import { BlobMissingError, ContentCorruptedError } from '@modelwire/ports';
import type { BlobSegment } from '@modelwire/ports';
import { splitLines } from '../../media/files/lines.ts';
import type { SplitLine } from '../../media/files/lines.ts';
import { verifierOf } from '../../media/files/read-segments.ts';
import { blobStorage } from '../../media/files/storage.ts';
import type { BatchRun } from './batch-run.ts';
import { createLinePlanner } from './line-plan.ts';
import type { LinePlan } from './line-plan.ts';
import { parseRequest, BATCH_MAX_LINES } from '@modelwire/schema';
import { batchInputLineSchema } from '@modelwire/schema/internal';
import { parseExactJsonInSlices } from '../../json/exact-json.ts';
import { parseClientJson } from '../../http/parse-request.ts';
import { RequestError } from '../../errors.ts';

/** Why the input file cannot be read any more, whatever the number of attempts. */
const messages = {
  input_file_deleted: 'The input file was deleted or expired before the batch ended.',
  content_corrupted: 'The input file is damaged in the storage. Upload it again, and create another batch.',
} as const;

/** The input file was deleted, or is damaged. */
export class InputLostError extends Error {
  override readonly name = 'InputLostError';
  readonly code: keyof typeof messages;

  constructor(code: keyof typeof messages) {
    super(messages[code]);
    this.code = code;
  }
}

/** The batch with the error that says why its input file could not be read. */
export function withInputError<Of extends Batch>(batch: Of, error: InputLostError): Of {
  return { ...batch, errors: { object: 'list', data: [...(batch.errors?.data ?? []), inputError(error)] } };
}

export function inputError({ code, message }: InputLostError): BatchError {
  return { code, line: null, message, param: 'input_file_id' };
}

/**
 * The lines of the input file, which is verified when it has been read to its end. @throws InputLostError, also after some lines. If bytes are
 * missing while the record of the file exists, the file was not deleted: the error is thrown as it is, and the job is retried.
 */
export async function* inputLines(run: BatchRun, batch: Batch): AsyncGenerator<SplitLine> {
  yield* splitLines(inputBytes(run, batch), run.server.options.maxBodyBytes);
}

async function* inputBytes({ server, files }: BatchRun, batch: Batch): AsyncGenerator<Uint8Array> {
  yield* readInputFile(files, batch, (content) => readInput(server, content));
}

/** What `read` yields of the contents of the input file. @throws InputLostError */
export async function* readInputFile<Item>(
  files: BatchRun['files'],
  batch: Batch,
  read: (content: readonly BlobSegment[]) => AsyncIterable<Item>,
): AsyncGenerator<Item, undefined> {
  const record = await files.get(batch.input_file_id);
  if (!record) throw new InputLostError('input_file_deleted');
  try {
    yield* read(record.content);
  } catch (error) {
    if (error instanceof ContentCorruptedError) throw new InputLostError('content_corrupted');
    const deleted = error instanceof BlobMissingError && !(await files.get(batch.input_file_id));
    throw deleted ? new InputLostError('input_file_deleted') : error;
  }
}

/**
 * Bytes of one read. A batch takes hours, and no storage keeps a download open for so long: each piece is downloaded completely and then
 * processed.
 */
const pieceBytes = 512 * 1024;
/** Bytes that are processed before yielding to other requests: 2 ms of validation. */
const bytesPerTurn = 32 * 1024;

/** The bytes of a file in pieces, read on demand. */
async function* readInput(server: BatchRun['server'], content: readonly BlobSegment[]): AsyncGenerator<Uint8Array> {
  const { blobs } = blobStorage(server);
  for (const segment of content) {
    const { key, bytes } = segment;
    const verifier = verifierOf(segment, server);
    for (let start = 0; start < bytes; start += pieceBytes) {
      const pieces: Uint8Array[] = [];
      const range = { start, end: Math.min(start + pieceBytes, bytes) };
      for await (const piece of blobs.read(key, range)) pieces.push(piece);
      for (const piece of pieces) {
        verifier.add(piece);
        for (let at = 0; at < piece.length; at += bytesPerTurn) {
          yield piece.subarray(at, at + bytesPerTurn);
          await yieldToEventLoop();
        }
      }
    }
    verifier.end();
  }
}

interface LineRules {
  /** Endpoint of the batch, which all lines must have. */
  readonly endpoint: string;
  /** Parameters that each body must have. */
  readonly required: readonly string[];
  readonly maxBytes: number;
  readonly unknownFields: 'refuse' | 'keep';
}

/** A line of an input file, or its error. */
type ParsedLine =
  { readonly ok: true; readonly line: BatchInputLine } | { readonly ok: false; readonly error: BatchError };

/**
 * Validates what hosted services validate before a batch starts: JSON, `custom_id`, endpoint and required parameters. Everything else is
 * validated when the line runs, like any other request, and becomes a line of the error file.
 */
async function parseLine({ number, text, problem }: SplitLine, rules: LineRules): Promise<ParsedLine> {
  if (text === undefined) {
    return problem === 'too_long'
      ? lineError(number, 'line_too_long', `This line is longer than ${rules.maxBytes} bytes.`)
      : lineError(number, 'invalid_utf8', 'This line is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = await parseClientJson(text);
  } catch (error) {
    return error instanceof RequestError && error.code !== 'invalid_json'
      ? lineError(number, error.code, error.message)
      : lineError(number, 'invalid_json_line', 'This line is not valid JSON.');
  }
  if (!isRecord(value)) return lineError(number, 'invalid_json_line', 'This line is not a JSON object.');
  const { url } = value;
  if (typeof url === 'string' && url !== rules.endpoint) {
    const message = `The 'url' of this line does not match the endpoint of the batch, '${rules.endpoint}'.`;
    return lineError(number, 'invalid_url', message, 'url');
  }
  const parsed = parseRequest(batchInputLineSchema, value, { unknownFields: rules.unknownFields });
  if (!parsed.ok) {
    const { code, message, param } = parsed.problem;
    return lineError(number, code, message, param);
  }
  if (parsed.value.body['stream'] === true) {
    const message = "Streaming is not supported in batches: leave 'stream' out.";
    return lineError(number, 'streaming_unsupported', message, 'body.stream');
  }
  for (const name of rules.required) {
    if ((parsed.value.body[name] ?? null) === null)
      return lineError(number, 'invalid_request', `Missing required parameter: 'body.${name}'.`, `body.${name}`);
  }
  return { ok: true, line: parsed.value };
}

/** Parses a line that was valid when its batch was validated. */
export async function parseValidatedLine(text: string): Promise<Pick<BatchInputLine, 'custom_id' | 'body'>> {
  const value = await parseExactJsonInSlices(text);
  if (isRecord(value)) {
    const { custom_id, body } = value;
    if (typeof custom_id === 'string' && isRecord(body)) return { custom_id, body };
  }
  throw new Error('a line of the input file has changed since it was validated');
}

function lineError(line: number, code: string, message: string, param: string | null = null): ParsedLine {
  return { ok: false, error: { code, line, message, param } };
}

/** Validation stops after this number of errors. */
export const maxListedErrors = 100;

export type Validation =
  | {
      readonly ok: true;
      readonly total: number;
      /** The model, if it is the same for all lines. */
      readonly model: string | null;
      readonly plan: LinePlan;
    }
  | { readonly ok: false; readonly errors: readonly BatchError[] };

/** Validates the input to its end, or until there are too many errors. Keeps the custom IDs and one line at a time in memory. */
export async function validate(
  lines: AsyncIterable<SplitLine>,
  rules: Parameters<typeof parseLine>[1] & { readonly signal: AbortSignal },
): Promise<Validation> {
  const firstLines = new Map<string, number>();
  const errors: BatchError[] = [];
  const models = new Set<unknown>();
  const planner = createLinePlanner();
  let total = 0;
  for await (const split of lines) {
    rules.signal.throwIfAborted();
    if (++total > BATCH_MAX_LINES) {
      const message = `A batch has at most ${BATCH_MAX_LINES} requests.`;
      errors.push({ code: 'too_many_requests', line: split.number, message, param: null });
      break;
    }
    const parsed = await parseLine(split, rules);
    if (parsed.ok) {
      const { custom_id, body } = parsed.line;
      const first = firstLines.get(custom_id);
      if (first !== undefined) errors.push(duplicate(split.number, first));
      else firstLines.set(custom_id, split.number);
      if (models.size < 2) models.add(body['model']);
      planner.add(split, body);
    } else errors.push(parsed.error);
    if (errors.length >= maxListedErrors) break;
  }
  if (total === 0) errors.push({ code: 'empty_file', line: null, message: 'The input file is empty.', param: null });
  if (errors.length > 0) return { ok: false, errors };
  const [model] = models;
  const ofAll = models.size === 1 && typeof model === 'string' ? model : null;
  return { ok: true, total, model: ofAll, plan: planner.finish() };
}

function duplicate(line: number, first: number): BatchError {
  const message = `The 'custom_id' of this line is already used in line ${first}: it must be unique in the file.`;
  return { code: 'duplicate_custom_id', line, message, param: 'custom_id' };
}

/** Parameters without a default that the body of each line must have: without them the batch fails validation. */
export function requiredParameters(endpoint: string, defaultModel: string | undefined): readonly string[] {
  switch (endpoint) {
    case '/v1/chat/completions':
      return defaultModel === undefined ? ['model', 'messages'] : ['messages'];
    case '/v1/responses':
      // The input can be omitted when a stored response is continued.
      return defaultModel === undefined ? ['model'] : [];
    case '/v1/moderations':
      return ['input'];
    case '/v1/completions':
      return defaultModel === undefined ? ['model', 'prompt'] : ['prompt'];
    case '/v1/embeddings':
      return ['model', 'input'];
    case '/v1/datasets':
      return ['format'];
    case '/v1/datasets/compare':
    case '/v1/datasets/rerun':
      return ['dataset'];
    default:
      return ['model'];
  }
}
