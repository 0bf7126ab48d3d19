export { openMemory, storesOver } from '../memory-stores.ts';
