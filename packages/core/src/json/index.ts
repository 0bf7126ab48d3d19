export { createPartialJson, partialJson } from './partial-json.ts';
export type { DeepPartial, PartialJson, PartialJsonState } from './partial-json.ts';
