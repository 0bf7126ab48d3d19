// Puts the decisions of thresholds.ts into the weights: `node src/decide.ts`, without training again.
import { readFileSync, writeFileSync } from 'node:fs';
import { weightsFile } from '@modelwire/engine-moderation/testing';
import { decided } from './packing.ts';
import { decisions } from './thresholds.ts';

writeFileSync(weightsFile, decided(readFileSync(weightsFile), decisions));
