// Moderates each line of a file in one batch and prints the flagged lines.
import { readFile } from 'node:fs/promises';
import { Modelwire } from '@modelwire/client';

const file = process.argv[2] ?? new URL('comments.txt', import.meta.url);
const comments = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');

const results = new Modelwire().batches.run({
  endpoint: '/v1/moderations',
  requests: comments.map((input, line) => ({ custom_id: String(line + 1), body: { input } })),
  pollMs: 200,
  onUpdate: ({ status, request_counts: counts }) => console.error(status, counts),
});

let answered = 0;
for await (const result of results) {
  if (!result.ok) {
    console.log(`line ${result.custom_id}: ${result.error.message}`);
    continue;
  }
  answered++;
  const [found] = result.body.results;
  if (found?.flagged !== true) continue;
  const categories = Object.entries(found.categories).flatMap(([name, is]) => (is ? [name] : []));
  console.log(`line ${result.custom_id} is flagged: ${categories.join(', ')}`);
}
console.log(`-- ${answered} of ${comments.length} lines answered`);
