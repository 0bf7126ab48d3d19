// `npm run docs`: writes the pages and the picture that are made from sources.
import { writeFileSync } from 'node:fs';
import { made } from './made.ts';

for (const { path, text } of await made()) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
  console.log(`docs/${path}`);
}
