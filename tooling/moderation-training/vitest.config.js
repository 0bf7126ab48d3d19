export { default } from '@modelwire/vitest';
