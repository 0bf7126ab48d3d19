import preset from '@modelwire/vitest';
import { mergeConfig } from 'vitest/config';

export default mergeConfig(preset, {
  test: { include: ['checks/**/*.test.ts'], exclude: ['**/node_modules/**', '.turbo/**'] },
});
