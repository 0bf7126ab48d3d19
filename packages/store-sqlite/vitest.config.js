import { isolating } from '@modelwire/vitest';

export default isolating('src/file/connection.test.ts');
