// Structured outputs in front of an upstream that changes valid documents by seed, over the schemas of MaskBench
// (`node benchmarks/src/grammar/fetch.ts` fetches them): node benchmarks/src/structured/run.ts --seed 1 --every 1
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileJsonSchema } from '@modelwire/grammar';
import type { Grammar } from '@modelwire/grammar';
import { createUpstream } from '@modelwire/engine-upstream';
import { createServer } from '@modelwire/server';
import type { RequestLogEntry } from '@modelwire/server';
import { readProblems, writeInstance } from '../grammar/maskbench.ts';
import { table } from '../table.ts';
import { startAdversary } from './adversary.ts';
import type { Case } from './adversary.ts';
import { mutationNames, mutations } from './mutations.ts';
import type { Mutation } from './mutations.ts';
import { createRandom } from './random.ts';
import { readReply } from './read-reply.ts';
import { createCheck } from './validate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '1' },
    /** Mutations of each schema, besides the document as it is. */
    mutations: { type: 'string', default: '2' },
    folder: { type: 'string' },
  },
});
const dataFolder = fileURLToPath(new URL('../../.data/maskbench/data', import.meta.url));
const folder = values.folder ?? process.env['MASKBENCH_FOLDER'] ?? join(dataFolder);
const maxDocumentLength = 20_000;

interface Tally {
  cases: number;
  valid: number;
  invalid: number;
  failed: number;
  unchanged: number;
  requests: number;
  readonly steps: Map<string, number>;
}

const tallies = new Map<string, Tally>();
const cases = new Map<string, Case>();
const adversary = await startAdversary(cases);
const logged: RequestLogEntry[] = [];
const engine = createUpstream({ upstreams: [{ baseURL: adversary.baseURL }], models: { m: {} } });
const server = createServer({ engines: [engine], keys: 'open', log: (entry) => void logged.push(entry) });

let schemas = 0;
let refused = 0;
for (const { id, schema, tests } of readProblems(folder, Number(values.every))) {
  const grammar = compile(schema);
  if (!grammar) {
    refused++;
    continue;
  }
  schemas++;
  const random = createRandom(Number(values.seed) * 1_000_003 + hash(id));
  const instances = tests.filter(({ valid }) => valid).map(({ data }) => writeInstance(data));
  const written = instances.filter(({ length }) => length < maxDocumentLength);
  const document = written.length > 0 ? random.pick(written) : grammar.start().shortestCompletion();
  const check = createCheck(schema);
  if (!check(document)) continue;
  const chosen: Mutation[] = ['none'];
  while (chosen.length <= Number(values.mutations)) chosen.push(random.pick(mutationNames.slice(1)));
  for (const mutation of chosen) {
    const first = mutations[mutation](document, random);
    if (mutation !== 'none' && first === document) continue;
    for (const isStreamed of [false, true]) {
      const name = `${id} ${mutation} ${isStreamed}`;
      cases.set(name, { first, document, start: grammar.start(), answersWithRest: random.below(2) === 0, random });
      await run(name, { schema, mutation, isStreamed, check, document });
      cases.delete(name);
    }
  }
  if (schemas % 500 === 0) console.error(`${schemas} schemas`);
}
await engine.close?.();
adversary.close();
report();

interface RunOptions {
  readonly schema: unknown;
  readonly mutation: Mutation;
  readonly isStreamed: boolean;
  readonly check: (text: string) => boolean;
  readonly document: string;
}

async function run(name: string, { schema, mutation, isStreamed, check, document }: RunOptions): Promise<void> {
  const tally = tallyOf(mutation, isStreamed);
  tally.cases++;
  const body = {
    model: 'm',
    messages: [{ role: 'user', content: name }],
    response_format: { type: 'json_schema', json_schema: { name: 'document', schema } },
    stream: isStreamed,
    stream_options: isStreamed ? { include_obfuscation: false } : undefined,
  };
  const response = await server.fetch(
    new Request('http://localhost/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  const { content, finish } = readReply(await response.text(), isStreamed);
  const { outputSteps = [] } = logged.pop() ?? {};
  for (const step of outputSteps) tally.steps.set(step, (tally.steps.get(step) ?? 0) + 1);
  const requests = adversary.requests.get(name) ?? 0;
  adversary.requests.delete(name);
  tally.requests += requests;
  const isRight = check(content) && (mutation !== 'none' || (content === document && requests === 1));
  if (finish !== 'stop') {
    tally.failed++;
    if (process.env['SHOW'] === 'failed')
      console.error(name, response.status, content.slice(-200), cases.get(name)?.first.slice(0, 300));
  } else if (!isRight) {
    tally.invalid++;
    console.error(`invalid: ${name}: ${content.slice(0, 500)} ${document.slice(0, 300)}`);
  } else {
    tally.valid++;
    if (outputSteps.length === 0) tally.unchanged++;
  }
}

function compile(schema: unknown): Grammar | undefined {
  try {
    return compileJsonSchema(schema, { unspecified: 'allow', propertyOrder: 'any', whitespace: 'any' });
  } catch {
    return undefined;
  }
}

function hash(text: string): number {
  let value = 0;
  for (let index = 0; index < text.length; index++) value = (Math.imul(value, 31) + text.charCodeAt(index)) >>> 0;
  return value;
}

function tallyOf(mutation: Mutation, isStreamed: boolean): Tally {
  const key = `${mutation}, ${isStreamed ? 'streamed' : 'whole'}`;
  let tally = tallies.get(key);
  if (!tally) {
    tally = { cases: 0, valid: 0, invalid: 0, failed: 0, unchanged: 0, requests: 0, steps: new Map() };
    tallies.set(key, tally);
  }
  return tally;
}

function report(): void {
  const share = (part: number, all: number): string => (all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`);
  const steps = ['cleaned', 'closed', 'continued', 'repeated'];
  const row = (name: string, tally: Tally): string[] => {
    const wrong = tally.cases - tally.unchanged;
    return [
      ...[name, String(tally.cases), String(tally.unchanged), String(tally.invalid)],
      share(tally.valid - tally.unchanged, wrong),
      ...steps.map((step) => share(tally.steps.get(step) ?? 0, wrong)),
      (tally.requests / tally.cases).toFixed(2),
    ];
  };
  const rows: string[][] = [];
  for (const kind of ['whole', 'streamed']) {
    const all: Tally = { cases: 0, valid: 0, invalid: 0, failed: 0, unchanged: 0, requests: 0, steps: new Map() };
    for (const mutation of mutationNames) {
      const tally = tallies.get(`${mutation}, ${kind}`);
      if (!tally) continue;
      rows.push(row(`${mutation}, ${kind}`, tally));
      if (mutation === 'none') continue;
      for (const field of ['cases', 'valid', 'invalid', 'failed', 'unchanged', 'requests'] as const)
        all[field] += tally[field];
      for (const [step, count] of tally.steps) all.steps.set(step, (all.steps.get(step) ?? 0) + count);
    }
    rows.push(row(`all mutations, ${kind}`, all));
  }
  const heads = ['first reply', 'replies', 'valid as they are', 'invalid delivered', 'rescued', ...steps, 'requests'];
  console.log(`${schemas} schemas of MaskBench, ${refused} not supported, seed ${values.seed}.\n`);
  console.log(table(heads, rows));
}
