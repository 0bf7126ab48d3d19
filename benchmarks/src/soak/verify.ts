import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotFoundError } from 'openai';
import type OpenAI from 'openai';
import { concurrently } from '../concurrently.ts';
import type { Soak } from './workloads.ts';
import { unlessRefused } from './workloads.ts';

const readsAtOnce = 8;

/** Number of records by kind. */
export type Verified = Awaited<ReturnType<typeof verify>>;

/** Reads back everything that was acknowledged and reports what is missing or differs. Returns the number of unchanged records by kind. */
export async function verify({ client, ledger, findings }: Soak) {
  const verified = { completions: 0, files: 0, deletions: 0, batches: 0, videos: 0 };
  await concurrently(ledger.completions, readsAtOnce, async ([id, { text, metadata }]) => {
    const stored = await unlessRefused(client.chat.completions.retrieve(id));
    if (!stored) findings.add('an acknowledged completion is missing', id);
    else if (stored.choices[0]?.message.content !== text)
      findings.add('a stored completion differs from what was answered', id);
    else verified.completions++;
    if (stored && metadata !== undefined && stored.metadata?.['run'] !== metadata)
      findings.add('an acknowledged metadata update is missing', id);
  });
  await concurrently(ledger.files, readsAtOnce, async ([id, sha256]) => {
    const bytes = await unlessRefused(contentOf(client, id));
    const found = bytes && createHash('sha256').update(bytes).digest('hex');
    if (found !== sha256) findings.add('an acknowledged file is missing or differs', `${id} ${found ?? ''}`);
    else verified.files++;
  });
  await concurrently(ledger.deleted, readsAtOnce, async (path) => {
    const isMissing = await client.get(path).then(
      () => false,
      (error: unknown) => error instanceof NotFoundError,
    );
    if (isMissing) verified.deletions++;
    else findings.add('something deleted is still there', path);
  });
  await concurrently(ledger.batches, readsAtOnce, async ([id, names]) => {
    const ended = await untilEnd(() => client.batches.retrieve(id));
    if (ended?.status !== 'completed') {
      findings.add('an acknowledged batch was not completed', `${id} ${ended?.status ?? ''}`);
      return;
    }
    const lines = await linesOf(client, ended.output_file_id);
    const failed = await linesOf(client, ended.error_file_id);
    if (failed.length > 0) findings.add('lines of a batch failed', failed[0] ?? '');
    const answered = [...lines, ...failed].map((line) => (JSON.parse(line) as { custom_id: string }).custom_id);
    if (names.toSorted().join() === answered.sort().join()) verified.batches++;
    else findings.add('a batch does not answer each of its lines once', id);
  });
  await concurrently(ledger.videos, readsAtOnce, async (id) => {
    const ended = await untilEnd(() => client.videos.retrieve(id));
    if (ended?.status === 'completed') verified.videos++;
    else findings.add('an acknowledged video was not completed', `${id} ${ended?.status ?? ''}`);
  });
  return verified;
}

async function contentOf(client: OpenAI, id: string): Promise<Buffer> {
  return Buffer.from(await (await client.files.content(id)).arrayBuffer());
}

/** The lines of a result file; the API has null where there is none. */
async function linesOf(client: OpenAI, id: string | null | undefined): Promise<string[]> {
  return id == null ? [] : (await contentOf(client, id)).toString().trimEnd().split('\n');
}

/** Reads a record until it has ended, for ten minutes. */
async function untilEnd<Work extends { readonly status: string }>(
  read: () => PromiseLike<Work>,
): Promise<Work | undefined> {
  for (let tries = 1; ; tries++) {
    const work = await unlessRefused(read());
    const hasEnded = ['completed', 'failed', 'expired', 'cancelled'].includes(work?.status ?? '');
    if (hasEnded || tries === 600) return work;
    await sleep(1000);
  }
}
