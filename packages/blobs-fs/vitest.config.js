import { isolating } from '@modelwire/vitest';

export default isolating('src/hanging-disk.test.ts', 'src/without-links.test.ts');
