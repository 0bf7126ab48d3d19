import { isolating } from '@modelwire/vitest';

export default isolating('src/installed.test.ts');
