import preset from '@modelwire/vitest';
import { mergeConfig } from 'vitest/config';

export default mergeConfig(preset, { test: { globalSetup: ['src/testing/shared-server.ts'] } });
