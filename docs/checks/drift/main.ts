// `npm run drift`: compares this server with the public document of the API and with the types of the official SDKs. With a file, first updates the
// committed facts of the document from it; with a folder, those of the SDK from npm's package in it.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { writeMade } from '../write-made.ts';
import { compareOperations } from './compare.ts';
import { decide } from './decisions.ts';
import { factsFile, factsOf, publicOperations, readFacts } from './facts.ts';
import { operationsIn, ownOperations } from './operations.ts';
import { sdkFacts } from './sdk-document.ts';

const [argument, documentDate = 'no date given'] = process.argv.slice(2);
const ours = ownOperations();
if (argument !== undefined) {
  const path = resolve(process.env['INIT_CWD'] ?? '.', argument);
  if (statSync(path).isDirectory()) {
    const { of, text } = sdkFacts(path, ours);
    writeFileSync(factsFile(of), text);
  } else {
    const document: unknown = parse(readFileSync(path, 'utf8'));
    writeFileSync(factsFile('document'), factsOf(operationsIn(document), documentDate, ours));
  }
}
const { open, unused } = decide(compareOperations(ours, publicOperations(readFacts())).theirsOnly);
for (const row of open) console.error(`without a decision: ${row}`);
for (const pattern of unused) console.error(`a decision without a row: ${pattern}`);
await writeMade((path) => path === 'drift.md');
if (open.length > 0 || unused.length > 0) process.exitCode = 1;
