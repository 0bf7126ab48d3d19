export { createServer } from './server.ts';
export type { ModelwireServer } from './server.ts';
export type { ServerStats } from './server-stats.ts';
export type { ScalarOptions } from './options/scalar.ts';
export type { DocsAssets, ServerOptions } from './options/options.ts';
export type { CreateId } from './ids.ts';
export type { JobTimes } from './jobs/times.ts';
export type { RequestLog, RequestLogEntry } from './request-log.ts';
export type { EventLoopStall } from './limits/event-loop.ts';
export type { ActiveRequest } from './limits/active-requests.ts';
export type {
  BatchPause,
  ChatModeration,
  ConsoleFile,
  ConsoleFiles,
  ConsoleStatus,
  ConsoleStorage,
  ConsoleUpstream,
  CorsOptions,
  EngineStats,
  FetchImage,
  IdentityProvider,
  Redaction,
  SignInChecks,
  SignInInit,
  StartedSignIn,
  WebhookOptions,
  WebhookRequest,
  WebhookSender,
} from './options/types.ts';

export { memoryRateLimiter } from './limits/memory-rate-limiter.ts';
export type { MemoryRateLimits } from './limits/memory-rate-limiter.ts';
export { openToAll, staticKeys } from './keys/static-keys.ts';
