export { createModerations } from './client.ts';
export type { ModerationsClient, ModerationsOptions } from './client.ts';
export type { ModeratedInput, ModerateManyOptions, ModerationInput } from './many.ts';

// What the methods take, return and throw, so that users need only this package.
export * from '@modelwire/core/client';
export type * from '@modelwire/schema/types';
