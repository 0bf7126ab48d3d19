export { createModels } from './client.ts';
export type { ModelsClient, ModelsOptions } from './client.ts';

// What the methods take, give and throw, so that a user needs this package alone.
export * from '@modelwire/core/client';
export type { Paged } from '@modelwire/core';
export type { Model, ModelCapabilities, ModelList } from '@modelwire/schema/types';
