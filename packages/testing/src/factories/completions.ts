import type {
  ChatCompletion,
  ChatCompletionAudio,
  ChatCompletionChoice,
  ChatCompletionChunk,
  ChatCompletionChunkChoice,
  ChatCompletionDelta,
  ChatCompletionDeltaToolCall,
  ChatCompletionFunctionToolCall,
  ChatCompletionMessage,
  ChatCompletionStoredMessage,
  ChoiceLogprobs,
  CompletionUsage,
  StoredChatCompletion,
  TokenLogprob,
  TopLogprob,
  UrlCitationAnnotation,
} from '@modelwire/schema/types';
import { deletedFactory, factory, pageFactory } from './factory.ts';
import type { Random } from './random.ts';

/** Factories of completions. */
export function completionFactories(random: Random) {
  const usage = factory<CompletionUsage>(
    () => ({
      prompt_tokens: random.int(5, 50),
      completion_tokens: random.int(5, 50),
      total_tokens: 0,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    }),
    ({ prompt_tokens, completion_tokens }) => ({ total_tokens: prompt_tokens + completion_tokens }),
  );
  const topLogprob = factory<TopLogprob>(
    () => ({ token: 'The', logprob: -random.int(1, 99) / 100, bytes: [] }),
    ({ token }) => ({ bytes: [...new TextEncoder().encode(token)] }),
  );
  const tokenLogprob = factory<TokenLogprob>(
    () => ({ ...topLogprob(), top_logprobs: [] }),
    ({ token, logprob, bytes }) => ({ top_logprobs: [{ token, logprob, bytes }] }),
  );
  const choiceLogprobs = factory<ChoiceLogprobs>(() => ({ content: [tokenLogprob()], refusal: null }));
  const annotation = factory<UrlCitationAnnotation>(() => ({
    type: 'url_citation',
    url_citation: { url: 'https://example.com/rivers', title: 'Rivers', start_index: 0, end_index: 9 },
  }));
  const audio = factory<ChatCompletionAudio>(() => ({
    id: random.id('audio_'),
    expires_at: random.time() + 3600,
    data: 'UklGRg==',
    transcript: random.sentence(),
  }));
  const toolCall = factory<ChatCompletionFunctionToolCall>(() => ({
    id: random.id('call_'),
    type: 'function',
    function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
  }));
  const chatMessage = factory<ChatCompletionMessage>(() => ({
    role: 'assistant',
    content: random.sentence(),
    refusal: null,
    annotations: [],
  }));
  const chatChoice = factory<ChatCompletionChoice>(
    () => ({ index: 0, finish_reason: 'stop', message: chatMessage(), logprobs: null }),
    ({ message }) => ({ finish_reason: message.tool_calls ? 'tool_calls' : 'stop' }),
  );
  const completion = (): ChatCompletion => ({
    id: random.id('chatcmpl-'),
    object: 'chat.completion',
    created: random.time(),
    model: 'gpt-4o',
    choices: [chatChoice()],
    service_tier: 'default',
    system_fingerprint: random.id('fp_'),
    usage: usage(),
  });
  const storedChatCompletion = factory<StoredChatCompletion>(() => ({
    ...completion(),
    request_id: random.id('req_'),
    metadata: {},
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    seed: null,
    tools: null,
    tool_choice: null,
    response_format: null,
    input_user: null,
  }));
  const storedMessage = factory<ChatCompletionStoredMessage>(() => ({
    id: random.id('msg_'),
    role: 'user',
    content: random.sentence(),
    name: null,
    content_parts: null,
  }));
  const deltaToolCall = factory<ChatCompletionDeltaToolCall>(() => ({
    index: 0,
    id: random.id('call_'),
    type: 'function',
    function: { name: 'get_weather', arguments: '' },
  }));
  const delta = factory<ChatCompletionDelta>(() => ({ content: 'The' }));
  const chunkChoice = factory<ChatCompletionChunkChoice>(() => ({
    index: 0,
    delta: delta(),
    finish_reason: null,
    logprobs: null,
  }));
  return {
    usage,
    topLogprob,
    tokenLogprob,
    choiceLogprobs,
    annotation,
    audio,
    toolCall,
    chatMessage,
    chatChoice,
    chatCompletion: factory<ChatCompletion>(completion),
    storedChatCompletion,
    chatCompletionList: pageFactory(storedChatCompletion),
    storedMessage,
    chatMessageList: pageFactory(storedMessage),
    chatCompletionDeleted: deletedFactory(random, 'chatcmpl-', 'chat.completion.deleted'),
    deltaToolCall,
    delta,
    chunkChoice,
    chatCompletionChunk: factory<ChatCompletionChunk>(() => ({
      id: random.id('chatcmpl-'),
      object: 'chat.completion.chunk',
      created: random.time(),
      model: 'gpt-4o',
      choices: [chunkChoice()],
      service_tier: 'default',
      system_fingerprint: random.id('fp_'),
      usage: null,
      obfuscation: '',
    })),
  };
}
