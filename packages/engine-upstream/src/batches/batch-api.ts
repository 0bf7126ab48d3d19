import { Readable } from 'node:stream';
import { isRecord, parseJson } from '@modelwire/adapter-kit';
import { RequestError } from '@modelwire/ports';
import type { BatchInput, BatchProvider, ProviderBatch } from '@modelwire/ports';
import { replyFailure, sanitizeFields, transportFailure, unexpectedReply } from '../attempts/failures.ts';
import type { Server } from '../connect.ts';
import { exchange } from '../exchange.ts';
import type { OutgoingRequest, Reply } from '../exchange.ts';
import { decodedReply } from '../replies/decoded-reply.ts';
import { readText } from '../replies/reply-text.ts';
import { TransportError } from '../transport-error.ts';

type BatchApi = Omit<BatchProvider, 'upstream' | 'hasOwnCapacity'>;

interface ApiRequest extends Pick<OutgoingRequest, 'path' | 'method'> {
  readonly body?: Readable | object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The name of the key in the metadata of a batch. */
const keyName = 'modelwire_submission';
/** The only window that all providers have. */
const completionWindow = '24h';
/** Largest reply that is held in memory. */
const maxReplyBytes = 16 * 1024 * 1024;
const pageSize = 100;
/** How far the clock of an upstream may be behind. */
const maxClockDifferenceSeconds = 3600;
/** Seconds after which an upstream deletes files that were not deleted before. */
const fileLifetimeSeconds = 7 * 86_400;

/** The files and batches of an upstream. */
export function createBatchApi(server: Server): BatchApi {
  const { settings } = server;

  async function send({ path, method, body, headers }: ApiRequest, signal: AbortSignal): Promise<Reply> {
    const isStream = body instanceof Readable;
    const type = isStream || body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoingHeaders = { 'accept-encoding': 'identity', ...type, ...headers, ...settings.configuredHeaders };
    const request = {
      method: method ?? 'GET',
      path: settings.basePath + path,
      headers: Object.entries(outgoingHeaders).flat(),
      body: isStream ? body : body ? JSON.stringify(body) : null,
    };
    const reply = decodedReply(await exchange(server, request, signal));
    const { status } = reply;
    if (status >= 200 && status < 300) return reply;
    const text = await readText(reply, maxReplyBytes);
    throw replyFailure(status, reply.headers, text, { publicId: '', path }, settings).error;
  }
  /** @throws RequestError, or the reason of the signal. */
  async function request<Result>(
    call: ApiRequest,
    signal: AbortSignal,
    read: (reply: Reply) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await read(await send(call, signal));
    } catch (thrown) {
      signal.throwIfAborted();
      throw thrown instanceof TransportError ? transportFailure(thrown, settings.name).error : thrown;
    }
  }
  async function readObject(reply: Reply): Promise<Readonly<Record<string, unknown>>> {
    const value = parseJson((await readText(reply, maxReplyBytes)) ?? '');
    if (isRecord(value)) return value;
    throw unexpectedReply('not a JSON object', settings.name).error;
  }
  const json = (call: ApiRequest, signal: AbortSignal) => request(call, signal, readObject);

  function batchOf(value: Readonly<Record<string, unknown>>): ProviderBatch {
    const { id, status, output_file_id, error_file_id } = value;
    if (typeof id !== 'string' || typeof status !== 'string')
      throw unexpectedReply('a batch without an ID or a status', settings.name).error;
    const resultFiles = [output_file_id, error_file_id].filter((file): file is string => typeof file === 'string');
    const endedLines = endedLinesOf(value['request_counts']);
    return { id, status: statuses.get(status) ?? 'running', error: errorOf(value['errors']), endedLines, resultFiles };
  }
  function errorOf(errors: unknown): ProviderBatch['error'] {
    const list: readonly unknown[] = isRecord(errors) && Array.isArray(errors['data']) ? errors['data'] : [];
    const first = list.find(isRecord);
    if (!first) return undefined;
    const text = (name: string): string | undefined => (typeof first[name] === 'string' ? first[name] : undefined);
    const { code, message } = sanitizeFields({ code: text('code'), message: text('message') }, settings.secrets);
    return { code: code ?? 'upstream_batch_failed', message: message ?? 'The upstream rejected the batch.' };
  }

  return {
    async upload(input, signal) {
      const { body, contentType, bytes } = uploadForm(input);
      const headers = { 'content-type': contentType, 'content-length': String(bytes) };
      const { id } = await json({ method: 'POST', path: '/files', body, headers }, signal);
      if (typeof id === 'string') return id;
      throw unexpectedReply('a file without an ID', settings.name).error;
    },
    async create({ key, fileId, endpoint }, signal) {
      const body = {
        input_file_id: fileId,
        endpoint,
        completion_window: completionWindow,
        metadata: { [keyName]: key },
      };
      const headers = { 'idempotency-key': key };
      return batchOf(await json({ method: 'POST', path: '/batches', body, headers }, signal));
    },
    async find({ key, submittedAt }, signal) {
      const found: ProviderBatch[] = [];
      let after = '';
      for (;;) {
        const page = await json({ path: `/batches?limit=${pageSize}${after}` }, signal);
        const batches: readonly unknown[] = Array.isArray(page['data']) ? page['data'] : [];
        for (const batch of batches.filter(isRecord))
          if (isRecord(batch['metadata']) && batch['metadata'][keyName] === key) found.unshift(batchOf(batch));
        const last = batches.findLast(isRecord);
        const createdAt = Number(last?.['created_at']);
        const isOlder = createdAt < submittedAt - maxClockDifferenceSeconds;
        if (page['has_more'] !== true || typeof last?.['id'] !== 'string' || isOlder) return found;
        after = `&after=${encodeURIComponent(last['id'])}`;
      }
    },
    retrieve: (id, signal) =>
      json({ path: `/batches/${encodeURIComponent(id)}` }, signal).then(batchOf, undefinedIfMissing),
    async cancel(id, signal) {
      await json({ method: 'POST', path: `/batches/${encodeURIComponent(id)}/cancel` }, signal).catch(ignoreConflict);
    },
    async *download(fileId, signal) {
      const path = `/files/${encodeURIComponent(fileId)}/content`;
      const { body } = await request({ path }, signal, (reply) => Promise.resolve(reply));
      let hasEnded = false;
      try {
        while (await body.ready()) yield* body.take();
        hasEnded = true;
      } catch (thrown) {
        signal.throwIfAborted();
        throw thrown instanceof TransportError ? transportFailure(thrown, settings.name).error : thrown;
      } finally {
        if (!hasEnded) body.cancel();
      }
    },
    async deleteFile(id, signal) {
      await json({ method: 'DELETE', path: `/files/${encodeURIComponent(id)}` }, signal).catch(undefinedIfMissing);
    },
  };
}

function endedLinesOf(counts: unknown): number | undefined {
  if (!isRecord(counts)) return undefined;
  const ended = Number(counts['completed']) + Number(counts['failed']);
  return Number.isSafeInteger(ended) && ended >= 0 ? ended : undefined;
}

/** Any other status is one of a batch that runs. */
const statuses: ReadonlyMap<string, ProviderBatch['status']> = new Map([
  ['completed', 'completed'],
  ['expired', 'ended'],
  ['cancelled', 'ended'],
  ['failed', 'failed'],
]);

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof RequestError && error.status === 404) return undefined;
  throw error;
}

/** A batch that has ended cannot be cancelled. */
function ignoreConflict(error: unknown): undefined {
  if (error instanceof RequestError && [400, 404, 409].includes(error.status)) return undefined;
  throw error;
}

/** A form with the file, which is read while it is sent. */
function uploadForm({ filename, bytes, content }: BatchInput) {
  const boundary = `modelwire-${crypto.randomUUID()}`;
  const fields = {
    purpose: 'batch',
    'expires_after[anchor]': 'created_at',
    'expires_after[seconds]': String(fileLifetimeSeconds),
  };
  const part = (header: string, text: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; ${header}\r\n\r\n${text}`;
  const texts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, `${value}\r\n`));
  const head = Buffer.from(`${texts.join('')}${part(`name="file"; filename="${filename}"`, '')}`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* content;
    yield tail;
  }
  return {
    body: Readable.from(parts(), { objectMode: false }),
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + bytes + tail.length,
  };
}
