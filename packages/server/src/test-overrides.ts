export { setTestOverrides, testOverrides, type TestOverrides } from './ids-and-time.ts';
