import preset from '@modelwire/vitest';
import { mergeConfig } from 'vitest/config';

// The S3 server of the tests keeps state in its modules.
export default mergeConfig(preset, { test: { isolate: true } });
