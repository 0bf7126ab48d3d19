import preset from '@modelwire/vitest';
import { mergeConfig } from 'vitest/config';

export default mergeConfig(preset, { test: { isolate: true, globalSetup: ['src/testing/shared-server.ts'] } });
