// For the packages of this repository. It can change in any release.
export { closeAll } from './close-all.ts';
export type {
  ActivityReport,
  NameList,
  PersonList,
  MetadataKeyList,
  RecentErrorList,
  ServerStatus,
  UsageReport,
} from './console/api-types.ts';
export { createTieredQueue } from './limits/tiered-queue.ts';
export type { ResolvedServiceTier, TieredQueue, TieredQueueOptions } from './limits/tiered-queue.ts';
export { optionDefinitions } from './options/definitions.ts';
export type { OptionDefinition } from './options/definitions.ts';
export { formatShape } from './structured-output/output-grammars.ts';
export type { JsonShape } from './structured-output/output-grammars.ts';
