import preset from '@modelwire/vitest';

export default { ...preset, test: { ...preset.test, include: ['{src,scripts}/**/*.test.ts'] } };
