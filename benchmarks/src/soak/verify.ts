import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fieldOf, textOf } from './api.ts';
import type { Api } from './api.ts';
import { apiKey } from './replica.ts';
import type { Findings } from './findings.ts';
import type { Ledger } from './ledger.ts';

/** Number of records by kind. */
export interface Verified {
  readonly completions: number;
  readonly files: number;
  readonly deletions: number;
  readonly batches: number;
  readonly videos: number;
}

/** Reads back everything that was acknowledged and reports what is missing or differs. Returns the number of unchanged records by kind. */
export async function verify(ledger: Ledger, api: Api, url: string, findings: Findings): Promise<Verified> {
  const verified = { completions: 0, files: 0, deletions: 0, batches: 0, videos: 0 };
  await inParallel([...ledger.completions], async ([id, { text, metadata }]) => {
    const { status, json } = await api.request('GET', `/v1/chat/completions/${id}`);
    const choices = fieldOf(json, 'choices');
    const stored = textOf(fieldOf(Array.isArray(choices) ? choices[0] : undefined, 'message'), 'content');
    if (status !== 200) findings.add('an acknowledged completion is missing', `${id} ${String(status)}`);
    else if (stored !== text) findings.add('a stored completion differs from what was answered', id);
    else verified.completions++;
    if (metadata !== undefined && status === 200 && textOf(fieldOf(json, 'metadata'), 'run') !== metadata) {
      findings.add('an acknowledged metadata update is missing', id);
    }
  });
  await inParallel([...ledger.files], async ([id, sha256]) => {
    const found = await contentHash(url, id);
    if (found !== sha256) findings.add('an acknowledged file is missing or differs', `${id} ${found}`);
    else verified.files++;
  });
  await inParallel([...ledger.deleted], async (path) => {
    const { status } = await api.request('GET', path);
    if (status !== 404) findings.add('something deleted is still there', `${path} ${String(status)}`);
    else verified.deletions++;
  });
  await inParallel([...ledger.batches], async ([id, names]) => {
    if (await verifyBatch(id, names, api, url, findings)) verified.batches++;
  });
  await inParallel([...ledger.videos], async (id) => {
    const status = await endStatus(api, `/v1/videos/${id}`, ['completed', 'failed']);
    if (status !== 'completed') findings.add('an acknowledged video was not completed', `${id} ${status}`);
    else verified.videos++;
  });
  return verified;
}

async function verifyBatch(
  id: string,
  names: readonly string[],
  api: Api,
  url: string,
  findings: Findings,
): Promise<boolean> {
  const status = await endStatus(api, `/v1/batches/${id}`, ['completed', 'failed', 'expired', 'cancelled']);
  if (status !== 'completed') {
    findings.add('an acknowledged batch was not completed', `${id} ${status}`);
    return false;
  }
  const { json } = await api.request('GET', `/v1/batches/${id}`);
  const answered: string[] = [];
  for (const member of ['output_file_id', 'error_file_id']) {
    const file = textOf(json, member);
    if (file === '') continue;
    const lines = (await content(url, file)).toString().trimEnd().split('\n');
    if (member === 'error_file_id') findings.add('lines of a batch failed', lines[0] ?? '');
    answered.push(...lines.map((line) => textOf(JSON.parse(line), 'custom_id')));
  }
  const [expected, found] = [[...names].sort().join(), answered.sort().join()];
  if (expected !== found) findings.add('a batch does not answer each of its lines once', id);
  return expected === found;
}

async function endStatus(api: Api, path: string, ends: readonly string[]): Promise<string> {
  let status = '';
  for (let tries = 0; tries < 600; tries++) {
    status = textOf((await api.request('GET', path)).json, 'status');
    if (ends.includes(status)) break;
    await sleep(1000);
  }
  return status;
}

async function content(url: string, id: string): Promise<Buffer> {
  const response = await fetch(`${url}/v1/files/${id}/content`, { headers: { authorization: `Bearer ${apiKey}` } });
  return Buffer.from(await response.arrayBuffer());
}

async function contentHash(url: string, id: string): Promise<string> {
  return createHash('sha256')
    .update(await content(url, id))
    .digest('hex');
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
    }),
  );
}
