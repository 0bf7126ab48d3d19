import { createHash } from 'node:crypto';
import OpenAI from 'openai';
import { concurrently, range } from '../concurrently.ts';
import { apiKey } from '../servers/payload.ts';
import type { ServerProcess } from '../servers/start-server.ts';
import { median, medianRatio, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import type { Report } from './section.ts';

interface Sample {
  /** Megabytes per second. */
  readonly rate: number;
  /** Microseconds of the server. */
  readonly cpu: number;
}

const mibBytes = 1024 * 1024;
const partMib = 64;
const concurrency = 4;
const piece = Buffer.alloc(mibBytes, 'A megabyte of text that is not random. ');
const contentOf = (mib: number): Blob => new Blob(Array.from({ length: mib }, () => piece));

/** One body to the bare server, and an upload in parts of 64 MiB, four at a time, with and without a checksum. */
export async function measureUploads(
  server: ServerProcess,
  bare: ServerProcess,
  { mib, rounds }: { readonly mib: number; readonly rounds: number },
  say: (text: string) => void,
): Promise<Report> {
  const hash = createHash('md5');
  for (let index = 0; index < mib; index++) hash.update(piece);
  const md5 = hash.digest('hex');
  const ways = [
    { title: 'bare `node:http` server that writes and hashes a body', to: bare, send: () => sendWhole(bare, mib, md5) },
    { title: '**Modelwire**, upload without checksum', to: server, send: () => upload(server, mib, undefined) },
    { title: '**Modelwire**, upload with `md5`', to: server, send: () => upload(server, mib, md5) },
  ].map((way) => ({ ...way, samples: new Array<Sample>() }));
  for (let round = 0; round <= rounds; round++) {
    for (const { title, to, send, samples } of rotated(ways, round)) {
      const before = await to.used();
      const started = performance.now();
      await send();
      const ms = performance.now() - started;
      say(`upload of ${mib} MiB, ${title}: ${Math.round(ms)} ms`);
      // The first round compiles the code.
      if (round > 0) samples.push({ rate: (mib * mibBytes) / 1000 / ms, cpu: (await to.used()).cpu - before.cpu });
    }
  }
  const rows = ways.map(({ title, samples }) => ({
    title,
    rates: samples.map(({ rate }) => rate),
    cpu: median(samples.map(({ cpu }) => cpu)),
  }));
  const toBare = (rates: readonly number[]): number => medianRatio(rates, rows[0]?.rates ?? []);
  return {
    table: table(
      [`an upload of ${mib} MiB`, 'MB/s', '÷ bare', 'server CPU, ms'],
      rows.map(({ title, rates, cpu }) => [title, short(median(rates)), short(toBare(rates)), short(cpu / 1000)]),
    ),
    target: {
      what: 'an upload with `md5` ÷ the bare server',
      wanted: { atLeast: 0.6 },
      unit: '×',
      reached: toBare(rows.at(-1)?.rates ?? []),
    },
  };
}

async function sendWhole({ base }: ServerProcess, mib: number, md5: string): Promise<void> {
  const response = await fetch(base, { method: 'POST', body: contentOf(mib) });
  if ((await response.text()) !== md5) throw new Error('the bare server has another checksum');
}

async function upload({ base }: ServerProcess, mib: number, md5: string | undefined): Promise<void> {
  const { uploads } = new OpenAI({ apiKey, baseURL: base });
  const declared = { filename: 'file.bin', bytes: mib * mibBytes, mime_type: 'text/plain' };
  const { id } = await uploads.create({ ...declared, purpose: 'user_data' });
  const part_ids: string[] = [];
  await concurrently(range(0, Math.ceil(mib / partMib)), concurrency, async (part) => {
    const content = contentOf(Math.min(partMib, mib - part * partMib));
    part_ids[part] = (await uploads.parts.create(id, { data: new File([content], 'part') })).id;
  });
  await uploads.complete(id, { part_ids, ...(md5 !== undefined && { md5 }) });
}
