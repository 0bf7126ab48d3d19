// A separate entry point (`@modelwire/server/web-search`): it needs Node's processes.
export { commandSearch } from './command-search.ts';
export type { CommandSearchOptions } from './command-search.ts';
export { serviceSearch } from './service-search.ts';
export type { ServiceSearchOptions } from './service-search.ts';
