import type { TextCompletion, TextCompletionChoice, TextCompletionLogprobs } from '@modelwire/schema/types';
import { factory } from './factory.ts';
import type { Random } from './random.ts';

/** Factories of legacy completions. */
export function textCompletionFactories(random: Random) {
  const model = 'gpt-3.5-turbo-instruct';
  const textCompletionChoice = factory<TextCompletionChoice>(() => ({
    text: random.sentence(),
    index: 0,
    logprobs: null,
    finish_reason: 'stop',
  }));
  return {
    textCompletionChoice,
    textCompletionLogprobs: factory<TextCompletionLogprobs>(() => ({
      tokens: ['Hi'],
      token_logprobs: [-0.1],
      top_logprobs: [{ Hi: -0.1 }],
      text_offset: [0],
    })),
    textCompletion: factory<TextCompletion>(() => ({
      id: random.id('cmpl-'),
      object: 'text_completion',
      created: random.time(),
      model,
      choices: [textCompletionChoice()],
    })),
  };
}
