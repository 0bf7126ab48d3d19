export { rivers } from './rivers.ts';
export { clocks } from './clocks.ts';
export { bread } from './bread.ts';
export { maps } from './maps.ts';
