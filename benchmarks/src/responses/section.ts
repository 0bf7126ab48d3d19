import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulator } from '@modelwire/engine-simulator';
import { createServer } from '@modelwire/server';
import { openSqliteStores } from '@modelwire/store-sqlite';
import { median, medianRatio, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';

type Send = (path: string, body: object) => Promise<string>;

const question = 'Write a hundred words about the rivers of Europe, and name the longest of them first.';
const reply = Array.from({ length: 100 }, (_, word) => `word${word}`).join(' ');
const messages = [{ role: 'user', content: question }];
const chat = '/v1/chat/completions';
const responses = '/v1/responses';

const kinds = {
  whole: { title: 'non-streamed', chat: {}, response: { store: false } },
  stored: { title: 'non-streamed, stored', chat: { store: true }, response: {} },
  streamed: { title: 'streamed, 100 chunks', chat: { stream: true }, response: { stream: true, store: false } },
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

const turns = 100;

/** Create response compared with create chat completion on the same engine, and a conversation of 100 turns, without sockets. */
export async function responsesSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-bench-'));
  const stores = await openSqliteStores({ path: join(folder, 'modelwire.db') });
  const engine = createSimulator({ models: [{ id: 'simulator', reply, chunks: 100 }] });
  const server = createServer({ engines: [engine], keys: 'open', stores });
  const send: Send = async (path, body) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await server.fetch(new Request(`http://127.0.0.1${path}`, init));
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${text}`);
    return text;
  };
  try {
    const costs = await compare(send, quick, say);
    const durations = await chain(send, quick ? 1 : 5, say);
    return report(costs, durations);
  } finally {
    await server.close(1000);
    await stores.close();
    rmSync(folder, { recursive: true });
  }
}

type Costs = ReadonlyMap<string, readonly number[]>;

/** Microseconds for each request by kind and endpoint, for each round. */
async function compare(send: Send, quick: boolean, say: (text: string) => void): Promise<Costs> {
  const costs = new Map<string, number[]>();
  const requests = quick ? 50 : 300;
  const all = kindNames.flatMap((kind) => ['chat', 'response'].map((endpoint) => ({ kind, endpoint })));
  // Two uncounted rounds compile the code.
  for (let round = -2; round < (quick ? 1 : 15); round++) {
    for (const { kind, endpoint } of rotated(all, round + 2)) {
      const { [kind]: one } = kinds;
      const started = performance.now();
      for (let request = 0; request < requests; request++) {
        if (endpoint === 'chat') await send(chat, { model: 'simulator', messages, ...one.chat });
        else await send(responses, { model: 'simulator', input: question, ...one.response });
      }
      const took = ((performance.now() - started) * 1000) / requests;
      const name = `${kind} ${endpoint}`;
      if (round >= 0) costs.set(name, [...(costs.get(name) ?? []), took]);
    }
    say(`round ${round + 1} of requests`);
  }
  return costs;
}

/** Milliseconds of each turn of conversations in which each turn continues the previous one by its ID. */
async function chain(send: Send, conversations: number, say: (text: string) => void): Promise<number[][]> {
  const durations: number[][] = [];
  for (let conversation = 0; conversation < conversations; conversation++) {
    const taken: number[] = [];
    let previous: string | undefined;
    for (let turn = 0; turn < turns; turn++) {
      const started = performance.now();
      const text = await send(responses, { model: 'simulator', input: question, previous_response_id: previous });
      taken.push(performance.now() - started);
      previous = idOf(text);
    }
    durations.push(taken);
    say(`conversation ${conversation + 1}`);
  }
  return durations;
}

function idOf(text: string): string {
  const body: unknown = JSON.parse(text);
  if (typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string') return body.id;
  throw new Error(`a response without an id: ${text}`);
}

function report(costs: Costs, durations: readonly number[][]): string {
  const of = (name: string): readonly number[] => costs.get(name) ?? [];
  const ratio = (kind: Kind): number => medianRatio(of(`${kind} response`), of(`${kind} chat`));
  const around = (turn: number): number =>
    median(durations.flatMap((taken) => taken.slice(Math.max(0, turn - 5), turn)));
  const shown = [5, 25, 50, 75, 100];
  const total = (from: number, to: number): number[] =>
    durations.map((taken) => taken.slice(from, to).reduce((sum, one) => sum + one, 0));
  return [
    table(
      ['median µs of a request', 'chat', 'response', 'ratio'],
      kindNames.map((kind) => [
        kinds[kind].title,
        short(median(of(`${kind} chat`))),
        short(median(of(`${kind} response`))),
        short(ratio(kind)),
      ]),
    ),
    table(
      ['a conversation by `previous_response_id`', ...shown.map((turn) => `turn ${turn}`)],
      [['median ms of the last five turns', ...shown.map((turn) => short(around(turn)))]],
    ),
    targetTable([
      {
        what: 'a response ÷ a chat completion, non-streamed',
        wanted: { atMost: 1.3 },
        unit: '×',
        reached: ratio('whole'),
      },
      { what: 'the same, stored', wanted: { atMost: 1.3 }, unit: '×', reached: ratio('stored') },
      { what: 'the same, streamed', wanted: { atMost: 1.3 }, unit: '×', reached: ratio('streamed') },
      {
        what: 'time of turns 51 to 100 ÷ time of turns 1 to 50',
        wanted: { below: 3 },
        unit: '×',
        reached: medianRatio(total(50, 100), total(0, 50)),
      },
    ]),
  ].join('\n\n');
}
