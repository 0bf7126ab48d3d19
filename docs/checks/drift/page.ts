import { compareOperations } from './compare.ts';
import { decide } from './decisions.ts';
import { publicOperations, readFacts } from './facts.ts';
import { ownOperations } from './operations.ts';

/** `docs/drift.md`. */
export function driftPage(): string {
  const facts = readFacts();
  const { same, oursOnly, theirsOnly } = compareOperations(ownOperations(), publicOperations(facts));
  const { decisions } = decide(theirsOnly);
  return `# Drift from the public specification

Every operation and field of this server, compared with the newest public document of the API (${facts.document.source}), with the types of the
official SDK (npm ${facts.sdk.source}), and, for \`/messages\`, with those of Anthropic's (npm ${facts.messages.source}). \`npm run drift\` writes this page
from committed copies of their names and values. \`npm run drift -- openapi.json "date, commit"\` updates the copy of the document from a file first,
and \`npm run drift -- docs/node_modules/openai\` or \`docs/node_modules/@anthropic-ai/sdk\` that of an SDK from the folder of its package. \`npm test\` fails for a row without a decision, and for a decision without a row. A field that one side lacks stands for the fields in it.

| rows          | number |
| ------------- | ------ |
| the same      | ${same} |
| ours only     | ${oursOnly.length} |
| theirs only   | ${theirsOnly.length} |
| of these open | ${decide(theirsOnly).open.length} |

## Theirs only

<!-- prettier-ignore -->
| decision | operations and fields |
| -------- | --------------------- |
${decisions.map(({ decision, rows }) => `| ${decision} | ${summary(rows)} |`).join('\n')}

## Ours only

<!-- prettier-ignore -->
| operation | fields |
| --------- | ------ |
${[...byOperation(oursOnly)].map(([operation, fields]) => `| \`${operation}\` | ${quoted(fields)} |`).join('\n')}
`;
}

/** Operations, then fields without the path to the item or the response that they are in: several operations return the same objects. */
export function summary(rows: readonly string[]): string {
  const operations = rows.filter((row) => !fieldOf(row));
  const fields = rows.flatMap((row) => fieldOf(row)?.field.replace(itemPath, '') ?? []);
  return quoted([...operations, ...new Set(fields)]);
}

const itemPath = /^(?:response\.)?(?:(?:input|output|data|items|instructions)\[\]\.|(?:item|part|response)\.)?/;

function byOperation(rows: readonly string[]): Map<string, string[]> {
  const operations = new Map<string, string[]>();
  for (const row of rows) {
    const { operation, field } = fieldOf(row) ?? { operation: row, field: 'the operation' };
    operations.set(operation, [...(operations.get(operation) ?? []), field]);
  }
  return operations;
}

/** Undefined for a row of an operation. */
function fieldOf(row: string): { readonly operation: string; readonly field: string } | undefined {
  const [, operation, field] = /^(\S+ \S+) \S+ (.+)$/.exec(row) ?? [];
  return operation === undefined || field === undefined ? undefined : { operation, field };
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
