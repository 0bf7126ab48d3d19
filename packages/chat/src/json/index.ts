export { createPartialJson, partialJson } from '@modelwire/core/partial-json';
export type { DeepPartial, PartialJson, PartialJsonState } from '@modelwire/core/partial-json';
