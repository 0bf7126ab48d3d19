import type {
  ChatCompletionContentPartImage,
  ChatCompletionContentPartInputAudio,
  ChatCompletionMessageParam,
} from './requests.ts';

export type ImageDetail = NonNullable<ChatCompletionContentPartImage['image_url']['detail']>;

export type InputAudioFormat = ChatCompletionContentPartInputAudio['input_audio']['format'];

export type ChatCompletionRole = ChatCompletionMessageParam['role'];
