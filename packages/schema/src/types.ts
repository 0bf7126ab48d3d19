// The types of requests and responses, without runtime code and dependencies. Field names are those of the API.
export type * from './types/requests.ts';
export type * from './types/responses.ts';
export type * from './types/params.ts';
export type * from './types/parts.ts';
export type * from './types/paging.ts';
export type * from './types/report.ts';
export type * from './types/open.ts';
export type * from './types/text-or-tokens.ts';
export type * from './types/nullable-optionals.ts';
