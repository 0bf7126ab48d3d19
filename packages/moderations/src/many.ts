import { DecodeError, InputError, pause } from '@modelwire/core';
import type { ApiPromise, CallOptions } from '@modelwire/core';
import type {
  Moderation,
  ModerationCreateParams,
  ModerationModel,
  ModerationMultiModalInput,
  ModerationResult,
} from '@modelwire/schema/types';

/** What gets one result: a text, or parts that belong together. */
export type ModerationInput = string | readonly ModerationMultiModalInput[];

export interface ModerateManyOptions extends Omit<CallOptions, 'idempotencyKey'> {
  readonly model?: ModerationModel | undefined;
  /** The most texts of a request. Default 32. */
  readonly batchSize?: number | undefined;
  /** The most characters of a request of several texts. Default 262,144. */
  readonly batchLength?: number | undefined;
  /** Requests under way at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** How long texts wait for others to share their request, in milliseconds, where inputs come slowly. Default 10. */
  readonly lingerMs?: number | undefined;
}

/** An input and what was found in it. */
export interface Moderated<I extends ModerationInput = ModerationInput> {
  /** The place of the input, from 0. */
  readonly index: number;
  readonly input: I;
  readonly result: ModerationResult;
  /** Id and model of the answer that it came with. */
  readonly id: string;
  readonly model: string;
}

/** See `ModerationsClient.createMany`. */
export async function* moderateMany<I extends ModerationInput>(
  create: (params: ModerationCreateParams, options?: CallOptions) => ApiPromise<Moderation>,
  inputs: Iterable<I> | AsyncIterable<I>,
  options: ModerateManyOptions = {},
): AsyncGenerator<Moderated<I>, void, undefined> {
  const { model, batchSize = 32, batchLength = 262_144, concurrency = 4, lingerMs = 10, signal, ...rest } = options;
  if (typeof inputs === 'string') throw new InputError('createMany() takes several inputs.', { param: 'inputs' });
  for (const [param, value] of Object.entries({ batchSize, concurrency })) {
    if (!(value >= 1)) throw new InputError(`${param} must be 1 or more.`, { param });
  }
  const iterator = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
  // Linked by hand, since AbortSignal.any leaks.
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort);
  const call: CallOptions = { ...rest, signal: controller.signal };

  /** Answers to come, in the order of their inputs. */
  const running: Promise<Moderated<I>[]>[] = [];
  let group: I[] = [];
  let length = 0;
  let index = 0;
  // In an object: the compiler takes a variable that a function sets for constant.
  const source = { over: false };
  let pulling: Promise<IteratorResult<I, unknown>> | undefined;
  let lingering: Promise<void> | undefined;

  try {
    for (;;) {
      while (!source.over && running.length < concurrency) {
        pulling ??= pull();
        const [head] = running;
        const come = [
          pulling.then(
            () => 'input',
            () => 'input',
          ),
          ...(head === undefined ? [] : [settled(head)]),
        ];
        if (lingering !== undefined) come.push(lingering.then(() => 'linger'));
        const first = await Promise.race(come);
        if (first === 'answer') break;
        if (first === 'linger') send();
        else take(await pulling);
      }
      const head = running.shift();
      if (head !== undefined) yield* await head;
      else if (source.over) return;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    controller.abort();
    // Not awaited: a source that waits for its next input would keep the caller.
    if (!source.over) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }

  function pull(): Promise<IteratorResult<I, unknown>> {
    const next = Promise.resolve(iterator.next());
    next.catch(() => undefined);
    return next;
  }

  function take(next: IteratorResult<I, unknown>): void {
    const input = next.done === true ? undefined : next.value;
    const size = typeof input === 'string' ? input.length : Infinity;
    // What does not fit goes with the next request, once there is room for one.
    if (group.length > 0 && length + size > batchLength) {
      send();
      if (input !== undefined) return;
    }
    pulling = undefined;
    if (input === undefined) {
      source.over = true;
      return;
    }
    group.push(input);
    length += size;
    if (group.length >= batchSize || length >= batchLength) send();
    else lingering ??= pause(lingerMs, controller.signal).catch(() => undefined);
  }

  /** Sends the group, and begins a new one. */
  function send(): void {
    const inputs = group;
    const start = index;
    const [only] = inputs;
    const input = (inputs.length === 1 ? only : inputs) as ModerationCreateParams['input'];
    const answer = create({ input, ...(model !== undefined && { model }) }, call).then(({ id, model, results }) => {
      if (results.length !== inputs.length) {
        throw new DecodeError(`The server answered ${inputs.length} inputs with ${results.length} results.`);
      }
      return results.map((result, at) => ({ index: start + at, input: inputs[at] as I, result, id, model }));
    });
    // Thrown when its turn comes.
    answer.catch(() => undefined);
    running.push(answer);
    index += inputs.length;
    group = [];
    length = 0;
    lingering = undefined;
  }
}

function settled(promise: Promise<unknown>): Promise<'answer'> {
  return promise.then(
    () => 'answer',
    () => 'answer',
  );
}
