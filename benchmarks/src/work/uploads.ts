import { createHash } from 'node:crypto';
import type { HostQuestion, Used } from '../http/host.ts';
import { apiKey } from '../http/payload.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import type { Target } from '../targets.ts';
import type { RunningServer } from './section.ts';

interface Sample {
  readonly ms: number;
  /** Microseconds of the server. */
  readonly cpu: number;
}

const ways = ['bare', 'without', 'with'] as const;
type Way = (typeof ways)[number];

export interface UploadsMeasured {
  readonly mib: number;
  readonly samples: Readonly<Record<Way, Sample[]>>;
}

const mibBytes = 1024 * 1024;
const partMib = 64;
const concurrency = 4;
const headers = { authorization: `Bearer ${apiKey}` };
const piece = Buffer.alloc(mibBytes, 'A megabyte of text that is not random. ');

function contentOf(mib: number): Blob {
  return new Blob(Array.from({ length: mib }, () => piece));
}

/** One body to the bare server, and an upload in parts of 64 MiB, four at a time, with and without a checksum. */
export async function measureUploads(
  server: RunningServer,
  bare: RunningServer,
  { mib, rounds }: { readonly mib: number; readonly rounds: number },
  say: (text: string) => void,
): Promise<UploadsMeasured> {
  const hash = createHash('md5');
  for (let index = 0; index < mib; index++) hash.update(piece);
  const md5 = hash.digest('hex');
  const samples: Record<Way, Sample[]> = { bare: [], without: [], with: [] };
  const send: Record<Way, () => Promise<unknown>> = {
    bare: () => sendWhole(bare.base, mib, md5),
    without: () => upload(server.base, mib, undefined),
    with: () => upload(server.base, mib, md5),
  };
  for (let round = 0; round <= rounds; round++) {
    for (const way of rotated([...ways], round)) {
      const { child } = way === 'bare' ? bare : server;
      const before = await child.ask<Used>({ used: true } satisfies HostQuestion);
      const started = performance.now();
      await send[way]();
      const ms = performance.now() - started;
      const cpu = (await child.ask<Used>({ used: true } satisfies HostQuestion)).cpu - before.cpu;
      say(`upload of ${mib} MiB, ${way}: ${Math.round(ms)} ms, ${Math.round(cpu / 1000)} ms of CPU`);
      // The first round compiles the code.
      if (round > 0) samples[way].push({ ms, cpu });
    }
  }
  return { mib, samples };
}

async function sendWhole(base: string, mib: number, md5: string): Promise<void> {
  const response = await fetch(base, { method: 'POST', body: contentOf(mib) });
  if ((await response.text()) !== md5) throw new Error('the bare server has another checksum');
}

async function upload(base: string, mib: number, md5: string | undefined): Promise<void> {
  const declared = { purpose: 'user_data', filename: 'file.bin', bytes: mib * mibBytes, mime_type: 'text/plain' };
  const { id } = await post(`${base}/uploads`, JSON.stringify(declared));
  const parts = Math.ceil(mib / partMib);
  const ids: string[] = [];
  let next = 0;
  const sendParts = async (): Promise<void> => {
    for (let part = next++; part < parts; part = next++) {
      const form = new FormData();
      form.set('data', contentOf(Math.min(partMib, mib - part * partMib)));
      ids[part] = (await post(`${base}/uploads/${id}/parts`, form)).id;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendParts));
  await post(`${base}/uploads/${id}/complete`, JSON.stringify({ part_ids: ids, md5 }));
}

async function post(url: string, body: string | FormData): Promise<{ readonly id: string }> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined;
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...type }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${text}`);
  return JSON.parse(text) as { readonly id: string };
}

const titles: Record<Way, string> = {
  bare: 'bare `node:http` server that writes and hashes a body',
  without: '**Modelwire**, upload without checksum',
  with: '**Modelwire**, upload with `md5`',
};

const rates = ({ mib, samples }: UploadsMeasured, way: Way): number[] =>
  samples[way].map(({ ms }) => (mib * mibBytes) / 1000 / ms);

export function uploadTable(measured: UploadsMeasured): string {
  return table(
    [`an upload of ${measured.mib} MiB`, 'MB/s', '÷ bare', 'server CPU, ms'],
    ways.map((way) => [
      titles[way],
      short(median(rates(measured, way))),
      short(medianRatio(rates(measured, way), rates(measured, 'bare'))),
      short(median(measured.samples[way].map(({ cpu }) => cpu)) / 1000),
    ]),
  );
}

export function uploadTarget(measured: UploadsMeasured): Target {
  const reached = medianRatio(rates(measured, 'with'), rates(measured, 'bare'));
  return { what: 'an upload with `md5` ÷ the bare server', wanted: { atLeast: 0.6 }, unit: '×', reached };
}
