// Measures `@modelwire/grammar` against the required tests of the JSON-Schema-Test-Suite and prints a table:
//   node src/grammar/suite.ts [folder of the suite]
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileJsonSchema, GrammarError } from '@modelwire/grammar';
import type { Grammar } from '@modelwire/grammar';
import { table } from '../table.ts';

type Case = { readonly description: string; readonly data: unknown; readonly valid: boolean };
type Group = { readonly description: string; readonly schema: unknown; readonly tests: readonly Case[] };
type Counts = { right: number; refused: number; validRejected: number; invalidAccepted: number };

const DRAFTS = ['draft4', 'draft6', 'draft7', 'draft2019-09', 'draft2020-12'];
const folder = process.argv[2] ?? fileURLToPath(new URL('../../.data/JSON-Schema-Test-Suite', import.meta.url));

const rows = DRAFTS.map((draft) => {
  const counts: Counts = { right: 0, refused: 0, validRejected: 0, invalidAccepted: 0 };
  for (const name of readdirSync(join(folder, 'tests', draft)).filter((file) => file.endsWith('.json'))) {
    const groups = JSON.parse(readFileSync(join(folder, 'tests', draft, name), 'utf8')) as readonly Group[];
    for (const group of groups) judge(group, counts, `${draft}/${name}: ${group.description}`);
  }
  const { right, refused, validRejected, invalidAccepted } = counts;
  return [draft, right, refused, validRejected, invalidAccepted].map(String);
});
process.stdout.write(
  `${table(['required tests', 'right', 'schema refused', 'valid rejected', 'invalid accepted'], rows)}\n`,
);

function judge({ schema, tests }: Group, counts: Counts, name: string): void {
  let grammar: Grammar;
  try {
    grammar = compileJsonSchema(schema, { unspecified: 'allow', propertyOrder: 'any' });
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    // A schema that nothing matches is refused when it is compiled, which is right if all of its instances are invalid.
    const isRight = error.code === 'empty' && tests.every(({ valid }) => !valid);
    counts[isRight ? 'right' : 'refused'] += tests.length;
    return;
  }
  for (const { data, valid, description } of tests) {
    const accepted = grammar.start().advance(JSON.stringify(data))?.canEnd() === true;
    if (accepted === valid) counts.right++;
    else if (valid) counts.validRejected++;
    else {
      counts.invalidAccepted++;
      process.stderr.write(`accepted: ${name}: ${description}\n`);
    }
  }
}
