import { concatBytes } from '@modelwire/adapter-kit/internal';
import { RequestError } from '@modelwire/ports';
import type { BatchProvider, CapabilitiesInit, ChatEngine, ProviderBatch } from '@modelwire/ports';
import { contentOf, says, scriptedEngine } from './scripted-engine.ts';

interface SentLine {
  readonly custom_id: string;
  readonly body: { readonly messages: readonly { readonly content: string }[] };
}

interface FakeBatch {
  readonly id: string;
  readonly key: string;
  /** The contents of the lines. */
  readonly lines: readonly string[];
  batch: ProviderBatch;
}

export interface FakeProvider extends BatchProvider {
  readonly batches: FakeBatch[];
  readonly files: Map<string, string>;
  readonly cancelled: string[];
}

/** The line of an output file. */
export function providerResult(line: SentLine): object {
  return providerReply(line, `batched ${line.body.messages[0]?.content}`);
}

export function providerReply({ custom_id }: SentLine, content: string): object {
  const message = { role: 'assistant', content };
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
  const completion = { choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
  return { id: 'r', custom_id, response: { status_code: 200, request_id: 'q', body: completion }, error: null };
}

export const notRun = ({ custom_id }: SentLine, code = 'batch_expired') => ({
  id: 'r',
  custom_id,
  response: null,
  error: { code, message: 'It was not run.' },
});

type End = Partial<Pick<ProviderBatch, 'status' | 'error'>> & { readonly files?: readonly (readonly unknown[])[] };

/** The batch API of an upstream in memory. `run` says how a batch ends; undefined: it does not. */
export function fakeProvider(
  run: (lines: readonly SentLine[], number: number) => End | undefined = (lines) => ({
    files: [lines.map(providerResult)],
  }),
  { hasOwnCapacity = false } = {},
): FakeProvider {
  const batches: FakeBatch[] = [];
  const files = new Map<string, string>();
  const cancelled: string[] = [];
  let fileCount = 0;
  function addFile(text: string): string {
    const id = `file-at-provider-${fileCount++}`;
    files.set(id, text);
    return id;
  }
  function linesOf(fileId: string): readonly SentLine[] {
    return (files.get(fileId) ?? '')
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text) as SentLine);
  }
  return {
    upstream: 'provider',
    hasOwnCapacity,
    batches,
    files,
    cancelled,
    async upload({ content, bytes }) {
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece.slice());
      const all = concatBytes(pieces);
      if (all.length !== bytes) throw new Error(`${all.length} bytes instead of ${bytes}`);
      return addFile(new TextDecoder().decode(all));
    },
    create({ key, fileId }) {
      const sent = linesOf(fileId);
      const { status, error, files: ended = [] } = run(sent, batches.length) ?? { status: 'running' };
      const toText = (line: unknown): string => (typeof line === 'string' ? line : JSON.stringify(line));
      const resultFiles = ended.map((lines) => addFile(lines.map((line) => `${toText(line)}\n`).join('')));
      const id = `batch-at-provider-${batches.length}`;
      const batch: ProviderBatch = { id, status: status ?? 'completed', error, resultFiles };
      batches.push({ id, key, lines: sent.map(({ body }) => body.messages[0]?.content ?? ''), batch });
      return Promise.resolve({ ...batch, status: 'running' });
    },
    find: ({ key }) => Promise.resolve(batches.filter((one) => one.key === key).map(({ batch }) => batch)),
    retrieve: (id) => Promise.resolve(batches.find((one) => one.id === id)?.batch),
    cancel(id) {
      cancelled.push(id);
      const found = batches.find((one) => one.id === id);
      if (found?.batch.status === 'running') found.batch = { ...found.batch, status: 'ended' };
      return Promise.resolve();
    },
    async *download(fileId) {
      await Promise.resolve();
      yield new TextEncoder().encode(files.get(fileId) ?? '');
    },
    deleteFile(id) {
      files.delete(id);
      return Promise.resolve();
    },
  };
}

/** An engine whose model `scripted` lines are submitted to a provider. What is sent to it otherwise answers `live`, or the text of that. */
export function forwardingEngine(
  provider: BatchProvider,
  live: (content: string) => Promise<unknown> = () => Promise.resolve(),
  can: CapabilitiesInit = {},
) {
  const sentLive: string[] = [];
  const engine = scriptedEngine(
    async function* (request, { batchLine }) {
      const { messages, model } = request;
      const body = JSON.stringify({ model, messages });
      const reply = batchLine?.exchange?.reply({ path: '/chat/completions', body });
      if (reply && reply.status >= 400)
        throw new RequestError('refused by the provider', { status: reply.status, code: 'refused' });
      if (reply) {
        // What `providerResult` made.
        const { choices } = JSON.parse(reply.body) as { choices: { message: { content: string } }[] };
        yield* says(choices[0]?.message.content ?? '');
        return;
      }
      const content = contentOf(request);
      sentLive.push(content);
      const answer = await live(content);
      yield* says(typeof answer === 'string' ? answer : `live ${content}`);
    },
    { concurrency: 64, can },
  );
  return { engine: { ...engine, batchProviders: () => [provider] } satisfies ChatEngine, sentLive };
}
