// Puts the decisions of thresholds.ts into weights/text.bin: `node scripts/decide.ts`, without training again.
import { readFileSync, writeFileSync } from 'node:fs';
import { decided } from './packing.ts';
import { decisions } from './thresholds.ts';

const path = new URL('../weights/text.bin', import.meta.url);
writeFileSync(path, decided(readFileSync(path), decisions));
