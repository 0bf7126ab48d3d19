export { createModerations } from './client.ts';
export type { ModerationsClient, ModerationsOptions } from './client.ts';
export type { Moderated, ModerateManyOptions, ModerationInput } from './many.ts';

// What the methods take, give and throw, so that a user needs this package alone.
export * from '@modelwire/core/client';
export type {
  Moderation,
  ModerationByCategory,
  ModerationCategory,
  ModerationCreateParams,
  ModerationImageInput,
  ModerationInputType,
  ModerationModel,
  ModerationMultiModalInput,
  ModerationResult,
  ModerationTextInput,
} from '@modelwire/schema/types';
