export { createModels } from './client.ts';
export type { ModelsClient, ModelsOptions } from './client.ts';

// What the methods take, return and throw, so that users need only this package.
export * from '@modelwire/core/client';
export type { Paged } from '@modelwire/core';
export type * from '@modelwire/schema/types';
