import preset from '@modelwire/vitest';
import { mergeConfig } from 'vitest/config';

// Some tests mock modules, which others need as they are.
export default mergeConfig(preset, { test: { isolate: true } });
