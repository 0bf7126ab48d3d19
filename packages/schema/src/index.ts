export type * from './types.ts';
export * from './routes.ts';
