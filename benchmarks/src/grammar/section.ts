import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import type { Outcome } from './outcome.ts';
import { writeProblems, writeVocabulary } from './tokenize.ts';

const dataFolder = fileURLToPath(new URL('../../.data/', import.meta.url));
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface GrammarOptions {
  /** Measures every n-th schema. Default 4, and 40 in a quick run. */
  readonly every: number | undefined;
}

/** `@modelwire/grammar` and, where `.data/venv` exists, LLGuidance on MaskBench: a process each, the same tokens. */
export async function grammarSection(
  quick: boolean,
  say: (text: string) => void,
  { every = quick ? 40 : 4 }: GrammarOptions,
): Promise<string> {
  const folder = process.env['MASKBENCH_FOLDER'] ?? join(dataFolder, 'maskbench', 'data');
  if (!existsSync(folder)) {
    throw new Error(
      `MaskBench is not in ${folder}; run "node benchmarks/src/grammar/fetch.ts" first, or set MASKBENCH_FOLDER`,
    );
  }
  mkdirSync(dataFolder, { recursive: true });
  const problems = join(dataFolder, 'problems.jsonl');
  const count = writeProblems(folder, every, problems);
  say(`${count} schemas`);
  const vocabulary = join(dataFolder, 'vocabulary.json');
  writeVocabulary(vocabulary);
  const ours = measure('modelwire', process.execPath, [here('./modelwire.ts'), problems], [vocabulary]);
  const python = process.env['LLGUIDANCE_PYTHON'] ?? join(dataFolder, 'venv', 'bin', 'python');
  let theirs: readonly Outcome[] | undefined;
  if (existsSync(python)) {
    theirs = measure('llguidance', python, [here('./llguidance_worker.py'), problems], [vocabulary]);
  }
  const libraries = [
    { name: '**Modelwire**', outcomes: ours },
    ...(theirs ? [{ name: 'LLGuidance', outcomes: theirs }] : []),
  ];
  const summaries = libraries.map(({ outcomes }) => summarize(outcomes));
  const row = (title: string, value: (summary: Summary) => string): string[] => [title, ...summaries.map(value)];
  const [own] = summaries;
  return [
    `${count} schemas of MaskBench (every ${every === 1 ? 'one' : `${every}th`}), tokens of o200k.`,
    table(
      ['', ...libraries.map(({ name }) => name)],
      [
        row('schemas passing', ({ passing }) => `${passing} (${short((100 * passing) / count)} %)`),
        row('refused at compile', ({ refused }) => String(refused)),
        row('schemas with a valid instance rejected', ({ rejected }) => String(rejected)),
        row('schemas with an invalid instance accepted', ({ accepted }) => String(accepted)),
        row('masks', ({ masksUs }) => String(masksUs.length)),
        row('mask, µs: average', ({ masksUs }) => short(masksUs.reduce((sum, us) => sum + us, 0) / masksUs.length)),
        ...[0.5, 0.75, 0.99, 0.999, 1].map((q) =>
          row(`mask, µs: ${q === 1 ? 'maximum' : `p${q * 100}`}`, ({ masksUs }) => short(quantile(masksUs, q))),
        ),
        ...[0.5, 0.75, 0.99].map((q) =>
          row(`compile, ms: p${q * 100}`, ({ compileMs }) => short(quantile(compileMs, q))),
        ),
      ],
    ),
    own ? targets(own, count) : '',
    refusals(ours),
  ].join('\n\n');
}

/** Runs a library in a process of its own. */
function measure(name: string, program: string, args: readonly string[], after: readonly string[] = []): Outcome[] {
  const outcomes = join(dataFolder, `${name}.jsonl`);
  execFileSync(program, [...args, outcomes, ...after], { stdio: ['ignore', 'inherit', 'inherit'] });
  return readFileSync(outcomes, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
}

interface Summary {
  readonly passing: number;
  readonly refused: number;
  readonly rejected: number;
  readonly accepted: number;
  readonly masksUs: number[];
  /** Of schemas that were not refused. */
  readonly compileMs: number[];
}

function summarize(outcomes: readonly Outcome[]): Summary {
  const compiled = outcomes.filter(({ refused }) => refused === null);
  return {
    passing: compiled.filter(({ rejected, accepted }) => rejected.length + accepted.length === 0).length,
    refused: outcomes.length - compiled.length,
    rejected: compiled.filter(({ rejected }) => rejected.length > 0).length,
    accepted: compiled.filter(({ accepted }) => accepted.length > 0).length,
    masksUs: compiled.flatMap(({ masksUs }) => masksUs),
    compileMs: compiled.map(({ compileMs }) => compileMs),
  };
}

function targets({ passing, rejected, accepted, masksUs, compileMs }: Summary, count: number): string {
  const ms = (us: number): number => us / 1000;
  const share = (some: number): number => (100 * some) / count;
  return targetTable([
    { what: 'schemas passing', wanted: { atLeast: 90 }, unit: '%', reached: share(passing) },
    { what: 'schemas with an invalid instance accepted', wanted: { atMost: 0 }, unit: '%', reached: share(accepted) },
    { what: 'schemas with a valid instance rejected', wanted: { atMost: 0.1 }, unit: '%', reached: share(rejected) },
    {
      what: 'mask, average',
      wanted: { atMost: 0.05 },
      unit: 'ms',
      reached: ms(masksUs.reduce((sum, us) => sum + us, 0) / masksUs.length),
    },
    { what: 'mask, p99.9', wanted: { atMost: 2 }, unit: 'ms', reached: ms(quantile(masksUs, 0.999)) },
    { what: 'mask, maximum', wanted: { atMost: 20 }, unit: 'ms', reached: ms(quantile(masksUs, 1)) },
    { what: 'compile, p50', wanted: { atMost: 0.4 }, unit: 'ms', reached: quantile(compileMs, 0.5) },
    { what: 'compile, p99', wanted: { atMost: 15 }, unit: 'ms', reached: quantile(compileMs, 0.99) },
  ]);
}

/** The reasons for refusals, most frequent first; quoted names and numbers within them are left out. */
function refusals(outcomes: readonly Outcome[]): string {
  const counts = new Map<string, number>();
  for (const { refused } of outcomes) {
    if (refused === null) continue;
    const reason = refused
      .replace(/^#\S*: /, '')
      .replace(/ \(at character .*/, '')
      .replace(/^"(http|[^"]*[/#])[^"]*"/, '"…"');
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const few = sorted.slice(20).reduce((sum, [, times]) => sum + times, 0);
  return table(
    ['reason for refusal by Modelwire', 'schemas'],
    [...sorted.slice(0, 20).map(([reason, times]) => [reason, String(times)]), ['others', String(few)]],
  );
}
