import type { ResponseHostedChoice, ResponseObject, ResponseUsage } from '@modelwire/schema/types';
import { factory, tokenUsageFactory } from './factory.ts';
import type { Factory } from './factory.ts';
import type { Random } from './random.ts';

/** Factories of responses. */
export function responseFactories(random: Random) {
  const responseUsage: Factory<ResponseUsage> = tokenUsageFactory(random, 5, 50);
  return {
    responseHostedChoice: factory<ResponseHostedChoice>(() => ({ type: 'web_search' })),
    responseUsage,
    response: factory<ResponseObject>(() => ({
      id: random.id('resp_'),
      object: 'response',
      created_at: random.time(),
      status: 'completed',
      completed_at: random.time(),
      error: null,
      incomplete_details: null,
      output: [
        {
          type: 'message',
          id: random.id('msg_'),
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: random.sentence(), annotations: [] }],
        },
      ],
      usage: responseUsage(),
      instructions: null,
      model: 'gpt-4o',
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      temperature: 1,
      top_p: 1,
      top_logprobs: 0,
      presence_penalty: 0,
      frequency_penalty: 0,
      max_output_tokens: null,
      max_tool_calls: null,
      metadata: {},
      previous_response_id: null,
      conversation: null,
      reasoning: { effort: null, summary: null },
      text: { format: { type: 'text' } },
      truncation: 'disabled',
      service_tier: 'default',
      store: true,
      background: false,
      prompt_cache_key: null,
      prompt_cache_retention: null,
      safety_identifier: null,
      user: null,
    })),
  };
}
