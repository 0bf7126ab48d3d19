// `npm run drift`: compares this server with the public document of the API. With a file, first updates the committed facts from it.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeMade } from '../write-made.ts';
import { compareOperations } from './compare.ts';
import { decide } from './decisions.ts';
import { factsFile, factsOf, readFacts } from './facts.ts';
import { ownOperations } from './operations.ts';

const [file, source = 'no date given'] = process.argv.slice(2);
const ours = ownOperations();
if (file !== undefined) {
  const document = readFileSync(resolve(process.env['INIT_CWD'] ?? '.', file), 'utf8');
  writeFileSync(factsFile, factsOf(document, source, ours));
}
const { open, unused } = decide(compareOperations(ours, readFacts().operations).theirsOnly);
for (const row of open) console.error(`without a decision: ${row}`);
for (const pattern of unused) console.error(`a decision without a row: ${pattern}`);
await writeMade((path) => path === 'drift.md');
if (open.length > 0 || unused.length > 0) process.exitCode = 1;
