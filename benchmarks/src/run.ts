import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { clientSection } from './client/section.ts';
import { gatewaysSection } from './gateways/section.ts';
import { grammarSection } from './grammar/section.ts';
import { httpSection } from './http/section.ts';
import { llamaOptionsSection } from './llama/options-section.ts';
import { llamaSection } from './llama/section.ts';
import { conditions } from './machine.ts';
import { observabilitySection } from './observability/section.ts';
import { routingSection } from './routing/section.ts';
import { sizeSection } from './size.ts';
import { startSection } from './start/section.ts';
import { pgbouncerSection } from './store/pgbouncer-section.ts';
import { storeSection } from './store/section.ts';
import { workSection } from './work/section.ts';
import { replaceSection } from './table.ts';

const readme = new URL('../README.md', import.meta.url).pathname;

const { values } = parseArgs({
  // Package managers also pass the separator `--`.
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    every: { type: 'string' },
    threads: { type: 'string' },
  },
});

const numberOf = (value: string | undefined) => (value === undefined ? undefined : Number(value));
type Say = (text: string) => void;

const sections = {
  http: {
    run: httpSection,
    packages: ['@hono/node-server', '@portkey-ai/gateway', '@copilotkit/aimock'],
  },
  gateways: { run: gatewaysSection, packages: ['@portkey-ai/gateway'] },
  observability: { run: observabilitySection, packages: [] },
  store: { run: storeSection, packages: [] },
  pgbouncer: { run: pgbouncerSection, packages: [] },
  work: { run: workSection, packages: [] },
  client: { run: clientSection, packages: ['openai'] },
  grammar: {
    run: (quick: boolean, say: Say) => grammarSection(quick, say, { every: numberOf(values.every) }),
    packages: ['gpt-tokenizer'],
  },
  llama: {
    run: (quick: boolean, say: Say) => llamaSection(quick, say, { threads: numberOf(values.threads) }),
    packages: [],
  },
  'llama-options': {
    run: (quick: boolean, say: Say) => llamaOptionsSection(quick, say, { threads: numberOf(values.threads) }),
    packages: ['node-llama-cpp'],
  },
  routing: { run: routingSection, packages: [] },
  start: { run: startSection, packages: [] },
  size: { run: () => sizeSection(), packages: ['esbuild', 'openai', 'eventsource-parser'] },
};
type SectionName = keyof typeof sections;

function isSection(name: string): name is SectionName {
  return Object.hasOwn(sections, name);
}

// Measured only if `--only` names them: they need data, a build, or a long time.
const byNameOnly: ReadonlySet<string> = new Set([
  'gateways',
  'grammar',
  'llama',
  'llama-options',
  'pgbouncer',
  'routing',
  'start',
]);
const wanted = values.only?.split(',') ?? Object.keys(sections).filter((name) => !byNameOnly.has(name));
for (const name of wanted) {
  if (!isSection(name)) throw new Error(`--only takes ${Object.keys(sections).join(', ')}; not '${name}'`);
  const { run, packages } = sections[name];
  const when = conditions(packages);
  const text = `${when}\n\n${await run(values.quick, (line) => process.stderr.write(`${line}\n`))}`;
  process.stdout.write(`${await pretty(text)}\n`);
  // The figures of a short run are not written.
  if (!values.quick) writeFileSync(readme, await pretty(replaceSection(readFileSync(readme, 'utf8'), name, text)));
}

async function pretty(text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(readme)), parser: 'markdown' });
}
