// Writes FOLDER/texts.json for sentences.py: each text that is learned from, its set, and whether it shows anything. `node src/texts.ts FOLDER`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { training } from './data.ts';

const [data = '/tmp/moderation-data'] = process.argv.slice(2);
const examples = training(data);
const rows = examples.map(({ text, from, labels }) => [text.slice(0, 1500), from, labels.includes(1)]);
writeFileSync(join(data, 'texts.json'), JSON.stringify(rows));
console.log(`${rows.length} texts`);
