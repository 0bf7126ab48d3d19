import type {
  ChatCompletionModeration,
  ChatCompletionModerationError,
  ResponseModeration,
} from '@modelwire/schema/types';
import type { ModerationVerdict } from '@modelwire/ports';
import { toRequestError } from '../../errors.ts';
import { mergeVerdicts, moderationResult } from './moderation-result.ts';

type Side = ChatCompletionModeration['input'];

/** The results of a moderation that a request asked for. */
export class ModerationReport {
  readonly input: ModerationResults;
  readonly output: ModerationResults;

  /** @param model As the request names it. */
  constructor(model: string) {
    this.input = new ModerationResults(model);
    this.output = new ModerationResults(model);
  }

  /** The results so far. */
  get results(): ChatCompletionModeration {
    return { input: this.input.results, output: this.output.results };
  }

  /** The results of a response, which has one for all of its input and one for all of its output. */
  get ofResponse(): ResponseModeration {
    return { input: this.input.merged, output: this.output.merged };
  }
}

/** The results for messages or choices, or why there are none. */
class ModerationResults {
  readonly #model: string;
  readonly #verdicts = new Map<number, ModerationVerdict>();
  #error: ChatCompletionModerationError | undefined;

  constructor(model: string) {
    this.#model = model;
  }

  /** Adds the verdict on a text of a message or a choice. */
  add(index: number, verdict: ModerationVerdict): void {
    this.#verdicts.set(index, mergeVerdicts(this.#verdicts.get(index) ?? {}, verdict));
  }

  fail(error: unknown): void {
    const { code, message } = toRequestError(error);
    this.#error = { type: 'error', code, message };
  }

  get results(): Side {
    if (this.#error) return this.#error;
    const verdicts = [...this.#verdicts].sort(([a], [b]) => a - b);
    const results = verdicts.map(([, verdict]) => this.#resultOf(verdict));
    return { type: 'moderation_results', model: this.#model, results };
  }

  /** One result, as for all texts together. */
  get merged(): ResponseModeration['input'] {
    return this.#error ?? this.#resultOf([...this.#verdicts.values()].reduce(mergeVerdicts, {}));
  }

  #resultOf(verdict: ModerationVerdict) {
    return { type: 'moderation_result' as const, model: this.#model, ...moderationResult(verdict, false) };
  }
}
