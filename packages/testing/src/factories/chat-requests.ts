import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionAudioParam,
  ChatCompletionContentPartFile,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartInputAudio,
  ChatCompletionContentPartRefusal,
  ChatCompletionContentPartText,
  ChatCompletionCreateParamsBase,
  ChatCompletionCustomTool,
  ChatCompletionDeveloperMessageParam,
  ChatCompletionFunctionMessageParam,
  ChatCompletionFunctionTool,
  ChatCompletionListParams,
  ChatCompletionRetrieveParams,
  ChatCompletionMessageListParams,
  ChatCompletionPrediction,
  ChatCompletionStreamOptions,
  ChatCompletionSystemMessageParam,
  ChatCompletionToolMessageParam,
  ChatCompletionUpdateParams,
  ChatCompletionUserMessageParam,
  FunctionCall,
  FunctionDefinition,
  NamedCustomToolChoice,
  NamedFunctionToolChoice,
  WebSearchOptions,
} from '@modelwire/schema/types';
import { factory } from './factory.ts';
import type { Random } from './random.ts';

/** Factories of requests for completions. */
export function chatRequestFactories(random: Random) {
  const textPart = factory<ChatCompletionContentPartText>(() => ({ type: 'text', text: random.sentence() }));
  const userMessage = factory<ChatCompletionUserMessageParam>(() => ({ role: 'user', content: random.sentence() }));
  const functionDefinition = factory<FunctionDefinition>(() => ({
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  }));
  return {
    namedFunctionToolChoice: factory<NamedFunctionToolChoice>(() => ({
      type: 'function',
      function: { name: 'get_weather' },
    })),
    namedCustomToolChoice: factory<NamedCustomToolChoice>(() => ({ type: 'custom', custom: { name: 'run_query' } })),
    textPart,
    imagePart: factory<ChatCompletionContentPartImage>(() => ({
      type: 'image_url',
      image_url: { url: 'https://example.com/river.png', detail: 'auto' },
    })),
    inputAudioPart: factory<ChatCompletionContentPartInputAudio>(() => ({
      type: 'input_audio',
      input_audio: { data: 'UklGRg==', format: 'wav' },
    })),
    filePart: factory<ChatCompletionContentPartFile>(() => ({ type: 'file', file: { file_id: random.id('file-') } })),
    refusalPart: factory<ChatCompletionContentPartRefusal>(() => ({
      type: 'refusal',
      refusal: 'I cannot help with that.',
    })),
    developerMessage: factory<ChatCompletionDeveloperMessageParam>(() => ({ role: 'developer', content: 'Be brief.' })),
    systemMessage: factory<ChatCompletionSystemMessageParam>(() => ({ role: 'system', content: 'Be brief.' })),
    userMessage,
    assistantMessage: factory<ChatCompletionAssistantMessageParam>(() => ({
      role: 'assistant',
      content: random.sentence(),
    })),
    toolMessage: factory<ChatCompletionToolMessageParam>(() => ({
      role: 'tool',
      content: '{"degrees":21}',
      tool_call_id: random.id('call_'),
    })),
    functionMessage: factory<ChatCompletionFunctionMessageParam>(() => ({
      role: 'function',
      name: 'get_weather',
      content: '{"degrees":21}',
    })),
    functionDefinition,
    functionTool: factory<ChatCompletionFunctionTool>(() => ({ type: 'function', function: functionDefinition() })),
    customTool: factory<ChatCompletionCustomTool>(() => ({
      type: 'custom',
      custom: { name: 'run_code', description: 'Runs a program.', format: { type: 'text' } },
    })),
    functionCall: factory<FunctionCall>(() => ({ name: 'get_weather', arguments: '{"city":"Paris"}' })),
    audioParam: factory<ChatCompletionAudioParam>(() => ({ voice: 'alloy', format: 'wav' })),
    prediction: factory<ChatCompletionPrediction>(() => ({ type: 'content', content: random.sentence() })),
    streamOptions: factory<ChatCompletionStreamOptions>(() => ({ include_usage: true })),
    webSearchOptions: factory<WebSearchOptions>(() => ({ search_context_size: 'medium' })),
    chatCompletionCreateParams: factory<ChatCompletionCreateParamsBase>(() => ({
      model: 'gpt-4o',
      messages: [userMessage()],
    })),
    chatCompletionUpdateParams: factory<ChatCompletionUpdateParams>(() => ({ metadata: { topic: 'rivers' } })),
    chatCompletionListQuery: factory<ChatCompletionListParams>(() => ({ limit: 20, order: 'asc' })),
    chatCompletionRetrieveQuery: factory<ChatCompletionRetrieveParams>(() => ({ include: ['request_parameters'] })),
    chatMessageListQuery: factory<ChatCompletionMessageListParams>(() => ({ limit: 20, order: 'asc' })),
  };
}
