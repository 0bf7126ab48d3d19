export { createUpstream } from './upstream.ts';
export type { BreakerOptions, UpstreamModel, UpstreamOptions, UpstreamServer } from './options.ts';
