import { createReadStream, openAsBlob } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { batchInput } from '@modelwire/batches';
import type { Batch, BatchEndpoint } from '@modelwire/client';
import { toStream } from '@modelwire/core';
import type { App } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { choice, collectPairs, positiveInteger } from '../option-values.ts';
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

/** Adds the argument and the options of commands that create a batch. */
export function withSendOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return command
    .description(
      `Each line of the input is a complete request (custom_id, method, url, body), a request body as JSON, or text for --prompt or --template. In --prompt and --template, {{line}} is replaced by the line, {{n}} by its number and, if the line is a JSON object, {{name}} by its field of that name.`,
    )
    .argument('<file>', 'A file, - for stdin, or the ID of an uploaded file')
    .addOption(
      choice('--endpoint <endpoint>', 'Endpoint (default: from the input, otherwise chat completions)', ENDPOINTS),
    )
    .option('--template <file>', 'Request body with {{line}}: a file, or inline JSON')
    .option('-p, --prompt <text>', 'User message or input with {{line}}')
    .option('-s, --system <text>', 'System message or instructions')
    .option('-m, --model <model>', 'Model (MODELWIRE_MODEL)')
    .option('--metadata <key=value>', 'Metadata of the batch (repeatable)', collectPairs)
    .option('--expires-after <seconds>', 'Delete the results after this time', positiveInteger);
}

interface SendFlags {
  readonly endpoint?: BatchEndpoint;
  readonly template?: string;
  readonly prompt?: string;
  readonly system?: string;
  readonly model?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly expiresAfter?: number;
}

/** Uploads the input and creates the batch. */
export async function sendBatch(app: App, input: string, flags: SendFlags): Promise<Batch> {
  const { batches } = await app.client();
  const { expiresAfter: seconds, metadata } = flags;
  return batches.create(
    {
      ...(await inputOf(app, input, flags)),
      completion_window: '24h',
      metadata,
      ...(seconds !== undefined && { output_expires_after: { anchor: 'created_at', seconds } }),
    },
    { signal: app.signal },
  );
}

interface BatchInput {
  readonly input_file_id: string;
  readonly endpoint: BatchEndpoint;
}

async function inputOf(app: App, input: string, flags: SendFlags): Promise<BatchInput> {
  if (!/^file-[\w-]+$/.test(input)) return sendInput(app, input, flags);
  rejectUnused(flags, ['model', 'system', 'prompt', 'template'], 'an uploaded file contains complete requests');
  return { input_file_id: input, endpoint: flags.endpoint ?? '/v1/chat/completions' };
}

async function sendInput(
  { terminal, settings, client, signal }: App,
  input: string,
  flags: SendFlags,
): Promise<BatchInput> {
  const { cwd } = terminal;
  const path = resolve(cwd, input);
  const { first, lines } = await peek(readLines(input === '-' ? terminal.stdin : createReadStream(path)));
  const { kind, endpoint: inputEndpoint } = detectInput(first);
  const endpoint =
    flags.endpoint ?? ENDPOINTS.find((candidate) => candidate === inputEndpoint) ?? '/v1/chat/completions';
  const templated = flags.template !== undefined || flags.prompt !== undefined;
  if (flags.template !== undefined) rejectUnused(flags, ['system'], 'the template contains the messages');
  else if (!templated && kind === 'requests')
    rejectUnused(flags, ['model', 'system'], 'the input contains complete requests');
  else if (!templated && kind === 'bodies') rejectUnused(flags, ['system'], 'the input contains the messages');
  else if (endpoint !== '/v1/chat/completions' && endpoint !== '/v1/responses')
    rejectUnused(flags, ['system'], `requests to ${endpoint} have no instructions`);
  const model = flags.model ?? (CHAT_MODEL_ENDPOINTS.has(endpoint) ? (await settings()).model?.value : undefined);
  const { files } = await client();
  const filename = input === '-' ? 'batch.jsonl' : basename(input).replace(/(\.\w+)?$/, '.jsonl');

  if (kind === 'requests' && !templated) {
    const file = input === '-' ? { stream: encoded(lines), type: 'application/jsonl' } : await openAsBlob(path);
    const { id } = await files.create({ file, filename, purpose: 'batch' }, { signal });
    return { input_file_id: id, endpoint };
  }
  const needsModel = CHAT_MODEL_ENDPOINTS.has(endpoint) || endpoint === '/v1/embeddings';
  // A template or a body can name the model.
  if (needsModel && model === undefined && flags.template === undefined && kind !== 'bodies') {
    throw usageError(
      'Missing required option --model.',
      CHAT_MODEL_ENDPOINTS.has(endpoint)
        ? 'A default model can be stored in a profile: modelwire config set model <id>'
        : undefined,
    );
  }
  const requests =
    kind === 'bodies' && !templated
      ? bodiesOf(lines, model)
      : requestsOf(lines, await readTemplate({ ...flags, endpoint, model, cwd }));
  // The server validates the body of each line.
  const stream = batchInput(endpoint as '/v1/embeddings', requests);
  const { id } = await files.create(
    { file: { stream, type: 'application/jsonl' }, filename, purpose: 'batch' },
    { signal },
  );
  return { input_file_id: id, endpoint };
}

/** An option without effect is a mistake of the user. */
function rejectUnused(
  flags: SendFlags,
  names: readonly ('model' | 'system' | 'prompt' | 'template')[],
  reason: string,
): void {
  const unused = names.find((name) => flags[name] !== undefined);
  if (unused !== undefined) throw usageError(`Option --${unused} has no effect: ${reason}.`);
}

/** The first line that is not empty, and all lines. */
async function peek(source: AsyncGenerator<string, void>) {
  const read: string[] = [];
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    read.push(next.value);
    if (next.value.trim() === '') continue;
    const lines = async function* () {
      yield* read;
      yield* source;
    };
    return { first: next.value, lines: lines() };
  }
  throw usageError('The input is empty.');
}

function encoded(lines: AsyncIterable<string>): ReadableStream<Uint8Array> {
  return toStream(
    (async function* () {
      for await (const line of lines) yield Buffer.from(`${line}\n`);
    })(),
  );
}
