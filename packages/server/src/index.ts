export { createServer } from './server.ts';
export type { ModelwireServer } from './server.ts';
export { closeAll } from './close-all.ts';
export type { DocsAssets, ServerOptions } from './options.ts';
export type { JobTimes } from './jobs/times.ts';
export type { RequestLog, RequestLogEntry } from './request-log.ts';
export type { EventLoopStall } from './limits/event-loop.ts';
export type { ActiveRequest } from './limits/activity.ts';
export type { ChatModeration, CorsOptions, FetchImage } from './option-types.ts';

export { memoryRateLimiter } from './limits/memory-rate-limiter.ts';
export type { MemoryRateLimits } from './limits/memory-rate-limiter.ts';
export { openToAll, staticKeys } from './keys/static-keys.ts';
export { formatShape } from './streaming/transforms/expectation.ts';
export type { JsonShape } from './streaming/transforms/json-shape.ts';

// Until the adapters of this repository import @modelwire/ports.
export * from '@modelwire/ports';
export { audioFacts, imageFacts } from '@modelwire/ports/media';
export type { AudioFacts, ImageFacts } from '@modelwire/ports/media';
