import { isolating } from '@modelwire/vitest';

export default isolating('src/reply/reply.test.ts');
