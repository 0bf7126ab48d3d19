// An entry of its own (`@modelwire/server/web-search`): it needs Node's processes.
export { commandSearch } from './search/command-search.ts';
export type { CommandSearchOptions } from './search/command-search.ts';
export { serviceSearch } from './search/service-search.ts';
export type { ServiceSearchOptions } from './search/service-search.ts';
