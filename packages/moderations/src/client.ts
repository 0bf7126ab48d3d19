import { createTransport } from '@modelwire/core';
import type { ApiPromise, CallOptions, Transport, TransportOptions } from '@modelwire/core';
import { createModeration } from '@modelwire/schema/routes';
import type { Moderation, ModerationCreateParams } from '@modelwire/schema/types';
import { moderateMany } from './many.ts';
import type { Moderated, ModerateManyOptions, ModerationInput } from './many.ts';

/** How to reach the server, or a transport that other clients use too. */
export type ModerationsOptions = TransportOptions | Transport;

/** Every method rejects with a `ModelwireError`, always. */
export interface ModerationsClient {
  /** Classifies an input (interface: Create moderation): one result, or one for each string of an array. */
  create(params: ModerationCreateParams, options?: CallOptions): ApiPromise<Moderation>;
  /**
   * Classifies any number of inputs, texts of several in one request and requests in parallel, and gives the results in the
   * order of the inputs. Takes inputs no faster than results are read. Leaving the loop stops the requests under way.
   */
  createMany<I extends ModerationInput>(
    inputs: Iterable<I> | AsyncIterable<I>,
    options?: ModerateManyOptions,
  ): AsyncGenerator<Moderated<I>, void, undefined>;
}

/** A client for moderation. Throws an `InputError` for a broken base URL. */
export function createModerations(options: ModerationsOptions = {}): ModerationsClient {
  const transport = 'request' in options ? options : createTransport(options);
  const create: ModerationsClient['create'] = (body, options) =>
    transport.request(createModeration, { ...options, body });
  return { create, createMany: (inputs, options) => moderateMany(create, inputs, options) };
}
