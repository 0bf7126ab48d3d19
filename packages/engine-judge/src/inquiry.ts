import type { ChatModel, ChatRequest, ModerationInput } from '@modelwire/ports';
import type { ChatCompletionCreateParams, TokenLogprob } from '@modelwire/schema/types';
import type { ReadVerdict } from './answer.ts';

/** How a model is asked about an input, and how its reply is read. */
export interface Inquiry {
  ask(init: InquiryAttempt): Question;
  read(reply: ReceivedReply): ReadVerdict;
  /** The end of the error message after the last attempt. */
  readonly advice: string;
}

export interface InquiryAttempt {
  /** Whether to leave out what some providers reject. */
  readonly isPlain: boolean;
  /** What was wrong with the previous answer, as part of a sentence. Undefined in the first attempt. */
  readonly problem: string | undefined;
}

export interface Question {
  readonly request: ChatRequest;
  readonly requestBody: ChatCompletionCreateParams;
  /** The prompt, if the model is asked by a text completion. */
  readonly prompt?: string;
  /** Whether nothing is left to omit for a provider that rejects the request. */
  readonly isPlain: boolean;
}

/** What every question is about. */
export interface Subject {
  readonly model: ChatModel;
  readonly input: ModerationInput;
  readonly maxTokens: number;
}

/** The text of a reply, and its tokens if their log probabilities were requested. */
export interface ReceivedReply {
  readonly text: string;
  readonly tokens: readonly TokenLogprob[];
}
