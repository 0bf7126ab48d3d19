import { isRecord, readUsage } from '@modelwire/adapter-kit';
import type { CompletionUsage } from '@modelwire/schema/types';
import { ChoiceNormalizer } from './choice-normalizer.ts';
import { errorFields } from './error-body.ts';
import { endedWithFailure, errorInReply, replyIncomplete, unexpectedReply } from '../attempts/failures.ts';
import type { FailureInReply } from '../attempts/failures.ts';
import { loggableFinishReason } from './finish-reason.ts';
import { objectItems } from '../requests/json.ts';
import type { ServerSettings } from '../presets/settings.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a reply to a chat request has to contain. */
export interface ExpectedReply {
  readonly choiceCount: number;
  /** The names of the tools of the request. */
  readonly toolNames: ReadonlySet<string>;
  /** Called for a finish reason that is not known. */
  readonly onUnknownFinishReason?: ((upstream: string, reason: string) => void) | undefined;
}

/** A chunk as the API defines it. */
export interface NormalizedChunk {
  /** The object that was read, if it was right already. `choices` may be empty: then it has usage. */
  readonly chunk: Fields;
  /** Whether it has one choice with a text and nothing else: other texts in its place are right, too. */
  readonly isText: boolean;
}

/** Normalizes the chunks of one streamed reply. Both the relayed stream and the events are made of what it returns. */
export class ChunkNormalizer {
  readonly #server: ServerSettings;
  readonly #expected: ExpectedReply;
  readonly #choices = new Map<number, ChoiceNormalizer>();

  constructor(server: ServerSettings, expected: ExpectedReply) {
    this.#server = server;
    this.#expected = expected;
  }

  /** Undefined for a frame without choices and usage: a ping, the result of a content filter, another object of the server. */
  read(received: Fields): NormalizedChunk | FailureInReply | undefined {
    const error = errorFields(received);
    if (error !== undefined) return { failure: errorInReply(error, this.#server) };
    const items = choicesOf(received);
    const choices: Fields[] = [];
    for (const item of items) {
      const choice = this.#readChoice(item);
      if (choice !== undefined && 'failure' in choice) return choice;
      if (choice !== undefined) choices.push(choice.choice);
    }
    const usage = usageOf(received, items);
    if (choices.length === 0 && usage === undefined) return undefined;
    const { choices: before, usage: usageBefore, ...rest } = received;
    const isRight =
      Array.isArray(before) && before.length === choices.length && choices.every((choice, at) => choice === before[at]);
    const hasRightUsage = isRecord(usageBefore) ? isSameUsage(usage, usageBefore) : usage === undefined;
    return {
      chunk: isRight && hasRightUsage ? received : { ...rest, choices, ...(usage && { usage }) },
      isText: isRight && usage === undefined && choices.length === 1 && choices.every(isTextChoice),
    };
  }

  /** Whether a choice has ended: what follows must be read. */
  get hasEnded(): boolean {
    return [...this.#choices.values()].some(({ end }) => end !== undefined);
  }

  /** Whether every choice has ended: the reply is complete then, also without `[DONE]`. */
  isFinished(): boolean {
    const ended = [...this.#choices.values()].filter(({ end }) => end !== undefined && end !== 'unknown');
    return ended.length >= this.#expected.choiceCount;
  }

  /**
   * Ends the reply at `[DONE]`. A choice with an unknown finish reason has the reason `stop` if the reply is otherwise whole: then the chunk that
   * says so is returned.
   */
  end(): NormalizedChunk | FailureInReply | undefined {
    const ends = [...this.#choices].map(([index, choice]) => ({ index, choice }));
    const whole = ends.filter(
      ({ choice }) => choice.end !== undefined && (choice.end !== 'unknown' || choice.hasOutput),
    );
    if (whole.length < this.#expected.choiceCount) {
      return { failure: replyIncomplete(this.#server.name, whole.length, this.#expected.choiceCount) };
    }
    const choices = whole
      .filter(({ choice }) => choice.end === 'unknown')
      .map(({ index, choice }) => ({ index, delta: {}, logprobs: null, finish_reason: choice.reasonFor('stop') }));
    return choices.length === 0 ? undefined : { chunk: { choices }, isText: false };
  }

  #readChoice(fields: Fields): { readonly choice: Fields } | FailureInReply | undefined {
    const { index = 0 } = fields;
    const { choiceCount, toolNames, onUnknownFinishReason } = this.#expected;
    const server = this.#server;
    if (!isChoiceIndex(index, choiceCount))
      return { failure: unexpectedReply('a choice that nobody asked for', server.name) };
    const error = errorFields({ error: fields['error'] });
    if (error !== undefined) return { failure: errorInReply(error, server) };
    let normalizer = this.#choices.get(index);
    if (normalizer === undefined) this.#choices.set(index, (normalizer = new ChoiceNormalizer(toolNames)));
    const read = normalizer.read(fields['index'] === undefined ? { ...fields, index } : fields);
    if (read === undefined) return undefined;
    if (typeof read === 'string') return { failure: unexpectedReply(read, server.name) };
    const reason = loggableFinishReason(fields['finish_reason']);
    if (read.end === 'failed') return { failure: endedWithFailure(server.name, reason) };
    if (read.end === 'unknown') onUnknownFinishReason?.(server.name, reason);
    return read;
  }
}

/** Some servers send a single choice without its list, and none as null. */
export function choicesOf({ choices }: Fields): readonly Fields[] {
  return isRecord(choices) ? [choices] : objectItems(choices);
}

/**
 * The usage of a chunk or a whole reply: some services put it into an object of their own or into the choice. Counts that are all 0 say that the
 * server does not count.
 */
export function usageOf(fields: Fields, choices: readonly Fields[]): CompletionUsage | undefined {
  const { usage, x_groq: extension } = fields;
  const places = [
    usage,
    isRecord(extension) ? extension['usage'] : undefined,
    ...choices.map((choice) => choice['usage']),
  ];
  for (const place of places) {
    const read = readUsage(place);
    if (read !== undefined && read.total_tokens > 0) return read;
  }
  return undefined;
}

export function isSameUsage(usage: CompletionUsage | undefined, received: Fields): boolean {
  if (usage === undefined) return false;
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  return (
    received['prompt_tokens'] === prompt_tokens &&
    received['completion_tokens'] === completion_tokens &&
    received['total_tokens'] === total_tokens
  );
}

function isTextChoice({ delta, finish_reason: reason, logprobs }: Fields): boolean {
  if (!isRecord(delta) || isRecord(logprobs) || typeof reason === 'string') return false;
  return (delta['tool_calls'] ?? delta['function_call'] ?? delta['role']) === undefined;
}

function isChoiceIndex(value: unknown, choiceCount: number): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < choiceCount;
}
