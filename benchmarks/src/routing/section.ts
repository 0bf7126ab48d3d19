import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWithSwitchableTelemetry } from '@modelwire/server-app/testing';
import { startLlamaServer } from '../llama/servers.ts';
import type { MeasuredServer } from '../llama/servers.ts';
import { apiKey } from '../servers/payload.ts';
import { median, medianRatio } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import { converse } from './conversations.ts';
import type { Turn } from './conversations.ts';

const policies = ['affinity', 'weighted'] as const;
type Policy = (typeof policies)[number];

interface Round {
  /** Mean milliseconds to the first token of turns after the first. */
  readonly firstTokenMs: number;
  /** The part of these turns that were at the upstream of the turn before. */
  readonly stayed: number;
}

/**
 * Conversations over two llama.cpp servers, each with a slot for every conversation, with affinity and with weighted random routing. Policies
 * alternate, so that noise of the machine affects both.
 */
export async function routingSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const path = process.env['LLAMA_MODEL'];
  const python = process.env['LLAMA_PYTHON'];
  if (path === undefined || python === undefined || !existsSync(path) || !existsSync(python)) {
    throw new Error('Set LLAMA_MODEL to a GGUF file and LLAMA_PYTHON to a Python with the package xllamacpp.');
  }
  const [users, turns, rounds] = quick ? [4, 4, 1] : [16, 8, 2];
  const settings = { path, threads: 1, contextSize: 2048, sequences: users };
  const upstreams: MeasuredServer[] = [];
  try {
    for (let index = 0; index < 2; index++) upstreams.push(await startLlamaServer(python, settings));
    const modelOf = (routing: Policy) => ({ upstreamModel: 'model', routing });
    const { server } = await startWithSwitchableTelemetry({
      host: '127.0.0.1',
      port: 0,
      data: mkdtempSync(join(tmpdir(), 'modelwire-bench-')),
      drainMs: 0,
      logLevel: 'silent',
      configPath: undefined,
      apiKeys: [apiKey],
      simulator: false,
      upstreams: upstreams.map(({ base }, index) => ({ name: `llama-${index}`, baseURL: base, preset: 'llama.cpp' })),
      models: { affinity: modelOf('affinity'), weighted: modelOf('weighted') },
    });
    const measured: Record<Policy, Round[]> = { affinity: [], weighted: [] };
    for (let round = 0; round < rounds; round++) {
      for (const policy of round % 2 === 0 ? policies : policies.toReversed()) {
        const base = `${server.url}/v1`;
        const init = { base, apiKey, model: policy, users, turns, maxTokens: 4, salt: `${round}${policy}` };
        const result = summarize(await converse(init));
        measured[policy].push(result);
        say(`${policy}: first token after ${short(result.firstTokenMs)} ms, ${short(100 * result.stayed)} % stay`);
      }
    }
    return report(users, turns, measured);
  } finally {
    for (const upstream of upstreams) await upstream.stop();
  }
}

function summarize(turns: readonly Turn[]): Round {
  const later = turns.filter(({ number }) => number > 1);
  return {
    firstTokenMs: later.reduce((sum, { firstTokenMs }) => sum + firstTokenMs, 0) / later.length,
    stayed: later.filter(({ stays }) => stays).length / later.length,
  };
}

function report(users: number, turns: number, measured: Record<Policy, readonly Round[]>): string {
  const ofRounds = (policy: Policy, value: (round: Round) => number): number[] => measured[policy].map(value);
  const firstTokenMs = (policy: Policy): number[] => ofRounds(policy, (round) => round.firstTokenMs);
  const stayed = (policy: Policy): number => 100 * median(ofRounds(policy, (round) => round.stayed));
  const rows = policies.map((policy) => [policy, short(median(firstTokenMs(policy))), short(stayed(policy))]);
  const head = ['policy', `first token of turns 2 to ${turns}, mean ms`, '% at the upstream of the turn before'];
  return [
    `${users} users at the same time, ${turns} turns each, two servers with ${users} slots and one thread.`,
    table(head, rows),
    targetTable([
      { what: 'turns that stay', wanted: { atLeast: 95 }, unit: '%', reached: stayed('affinity') },
      {
        what: 'time to the first token, of that with weighted random',
        wanted: { atMost: 0.35 },
        unit: '×',
        reached: medianRatio(firstTokenMs('affinity'), firstTokenMs('weighted')),
      },
    ]),
  ].join('\n\n');
}
