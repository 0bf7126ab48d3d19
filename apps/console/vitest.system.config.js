import system from '@modelwire/vitest/system';

export default { ...system, test: { ...system.test, globalSetup: './src/testing/global-setup.ts' } };
