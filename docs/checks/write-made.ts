import { writeFileSync } from 'node:fs';
import { made } from './made.ts';

/** Writes the files that are made from sources. */
export async function writeMade(isWanted: (path: string) => boolean = () => true): Promise<void> {
  for (const { path, text } of await made()) {
    if (!isWanted(path)) continue;
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
    console.log(`docs/${path}`);
  }
}
