import preset from '@modelwire/vitest';
import { mergeConfig } from 'vitest/config';

// A server of the program is a process: it has its signals and its metrics.
export default mergeConfig(preset, { test: { isolate: true } });
