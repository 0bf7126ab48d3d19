// Imports every entry point that entries.json lists. Errors are failures, except missing optional peers, which are reported.
import { readFile } from 'node:fs/promises';

const entries = JSON.parse(await readFile(new URL('./entries.json', import.meta.url), 'utf8'));
const missing = [];
let imported = 0;
for (const { specifier, optional } of entries) {
  try {
    const names = Object.keys(await import(specifier));
    imported += 1;
    if (names.length === 0 && !specifier.endsWith('/types') && !specifier.endsWith('/ports')) {
      console.log(`note: ${specifier} exports types only`);
    }
  } catch (error) {
    const peer = optional.find((name) => new RegExp(`['"]?${name}['"]?`).test(error.message));
    if (peer === undefined) throw new Error(`${specifier}: ${error.stack}`, { cause: error });
    missing.push(`${specifier} (needs ${peer})`);
  }
}
console.log(`${imported} of ${entries.length} entry points${missing.length > 0 ? `; not: ${missing.join(', ')}` : ''}`);
