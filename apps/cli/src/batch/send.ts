import { createReadStream, openAsBlob } from 'node:fs';
import { basename, resolve } from 'node:path';
import { batchInput, createBatches } from '@modelwire/batches';
import type { Batch, BatchEndpoint } from '@modelwire/batches';
import { toStream } from '@modelwire/core';
import { createFiles } from '@modelwire/files';
import type { Context, Flags } from '../command.ts';
import { modelFlag } from '../model-flag.ts';
import { usageError } from '../cli-error.ts';
import { pairsOf } from '../pairs.ts';
import { readLines } from '../stdin.ts';
import { bodiesOf, detectInput, readTemplate, requestsOf } from './requests.ts';

const ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/videos',
] as const;

/** Endpoints whose requests name a chat model: the configured default model applies. */
const CHAT_MODEL_ENDPOINTS: ReadonlySet<BatchEndpoint> = new Set<BatchEndpoint>([
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
]);

export const sendFlags = {
  endpoint: {
    type: 'string',
    choices: ENDPOINTS,
    description: 'Endpoint (default: from the input, otherwise chat completions)',
  },
  template: {
    type: 'string',
    value: 'json',
    completes: 'file',
    description: 'Request body with {{line}}: a file, or inline JSON',
  },
  prompt: { type: 'string', short: 'p', value: 'text', description: 'User message or input with {{line}}' },
  system: { type: 'string', short: 's', description: 'System message or instructions' },
  model: modelFlag('Model (MODELWIRE_MODEL)'),
  metadata: { type: 'string', multiple: true, value: 'key=value', description: 'Metadata of the batch' },
  'expires-after': { type: 'integer', value: 'seconds', min: 1, description: 'Delete the results after this time' },
} as const satisfies Flags;

export const sendArguments = [
  { name: 'input', completes: 'file', description: 'A file, - for stdin, or the ID of an uploaded file' },
] as const;

export const sendDescription = `Each line of the input is a complete request (custom_id, method, url, body), a request body as JSON, or text for --prompt or --template.
In --prompt and --template, {{line}} is replaced by the line, {{n}} by its number and, if the line is a JSON object, {{name}} by its field of
that name.`;

/** Uploads the input and creates the batch. */
export async function sendBatch(context: Context<typeof sendFlags>): Promise<Batch> {
  const { args, flags, transport, signal } = context;
  const [input = ''] = args;
  const isUploaded = /^file-[\w-]+$/.test(input);
  if (isUploaded)
    rejectUnused(flags, ['model', 'system', 'prompt', 'template'], 'an uploaded file contains complete requests');
  const connection = await transport();
  const seconds = flags['expires-after'];
  const { id, endpoint } = isUploaded
    ? { id: input, endpoint: flags.endpoint ?? '/v1/chat/completions' }
    : await sendInput(context, input);
  return createBatches(connection).create(
    {
      input_file_id: id,
      endpoint,
      completion_window: '24h',
      ...(flags.metadata.length > 0 && { metadata: pairsOf('--metadata', flags.metadata) }),
      ...(seconds !== undefined && { output_expires_after: { anchor: 'created_at', seconds } }),
    },
    { signal },
  );
}

async function sendInput(
  { flags, terminal, settings, transport, signal }: Context<typeof sendFlags>,
  input: string,
): Promise<{ id: string; endpoint: BatchEndpoint }> {
  const { cwd } = terminal;
  const path = resolve(cwd, input);
  const open = (): AsyncIterable<string, void> => readLines(input === '-' ? terminal.stdin : createReadStream(path));
  const lines: AsyncIterator<string, void> = open()[Symbol.asyncIterator]();
  const { first, consumed } = await firstLine(lines);
  const { kind, endpoint: inputEndpoint } = detectInput(first);
  const endpoint =
    flags.endpoint ?? ENDPOINTS.find((candidate) => candidate === inputEndpoint) ?? '/v1/chat/completions';
  const allLines = (): AsyncIterable<string> => rejoin(consumed, lines);
  const templated = flags.template !== undefined || flags.prompt !== undefined;
  if (flags.template !== undefined) rejectUnused(flags, ['system'], 'the template contains the messages');
  else if (!templated && kind === 'requests')
    rejectUnused(flags, ['model', 'system'], 'the input contains complete requests');
  else if (!templated && kind === 'bodies') rejectUnused(flags, ['system'], 'the input contains the messages');
  else if (endpoint !== '/v1/chat/completions' && endpoint !== '/v1/responses')
    rejectUnused(flags, ['system'], `requests to ${endpoint} have no instructions`);
  const model = flags.model ?? (CHAT_MODEL_ENDPOINTS.has(endpoint) ? (await settings()).model?.value : undefined);
  const files = createFiles(await transport());
  const filename = input === '-' ? 'batch.jsonl' : basename(input).replace(/(\.\w+)?$/, '.jsonl');

  if (kind === 'requests' && !templated) {
    const file = input === '-' ? { stream: encoded(allLines()), type: 'application/jsonl' } : await openAsBlob(path);
    const { id } = await files.create({ file, filename, purpose: 'batch' }, { signal });
    return { id, endpoint };
  }
  const needsModel = CHAT_MODEL_ENDPOINTS.has(endpoint) || endpoint === '/v1/embeddings';
  if (needsModel && model === undefined && !canNameModel(flags.template)) {
    if (kind !== 'bodies')
      throw usageError(
        'Missing required option --model.',
        CHAT_MODEL_ENDPOINTS.has(endpoint)
          ? 'A default model can be stored in a profile: modelwire config set model <id>'
          : undefined,
      );
  }
  const requests =
    kind === 'bodies' && !templated
      ? bodiesOf(allLines(), model)
      : requestsOf(allLines(), await readTemplate({ ...flags, endpoint, model, cwd }));
  // The server validates the body of each line.
  const stream = batchInput(endpoint as '/v1/embeddings', requests);
  const { id } = await files.create(
    { file: { stream, type: 'application/jsonl' }, filename, purpose: 'batch' },
    { signal },
  );
  return { id, endpoint };
}

/** An option without effect is a mistake of the user. */
function rejectUnused(
  flags: Context<typeof sendFlags>['flags'],
  names: readonly ('model' | 'system' | 'prompt' | 'template')[],
  reason: string,
): void {
  const unused = names.find((name) => flags[name] !== undefined);
  if (unused !== undefined) throw usageError(`Option --${unused} has no effect: ${reason}.`);
}

/** A template can name the model. It is not read yet. */
function canNameModel(template: string | undefined): boolean {
  return template !== undefined;
}

async function firstLine(lines: AsyncIterator<string, void>): Promise<{ first: string; consumed: string[] }> {
  const consumed: string[] = [];
  for (;;) {
    const next = await lines.next();
    if (next.done === true) throw usageError('The input is empty.');
    consumed.push(next.value);
    if (next.value.trim() !== '') return { first: next.value, consumed };
  }
}

async function* rejoin(
  consumed: readonly string[],
  lines: AsyncIterator<string, void>,
): AsyncGenerator<string, void, undefined> {
  yield* consumed;
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) yield next.value;
}

function encoded(lines: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  return toStream(
    (async function* () {
      for await (const line of lines) yield utf8.encode(`${line}\n`);
    })(),
  );
}
