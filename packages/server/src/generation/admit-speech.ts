import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { unsupportedValue } from '../errors.ts';
import type { ChatModel, SpeechEngine } from '@modelwire/ports';
import { voiceOf } from '../streaming/transforms/synthesize-speech.ts';

/** Refuses a voice or format that the server cannot speak with, where it is the server that speaks (interface: `audio`). */
export function admitSpeech(
  { audio, modalities }: ChatCompletionCreateParams,
  { capabilities }: ChatModel,
  speech: SpeechEngine | undefined,
): void {
  if (!audio || !modalities?.includes('audio') || capabilities.parameters.audio !== 'emulated' || !speech) return;
  const { voice, format } = audio;
  if (!speech.formats.includes(format)) {
    throw unsupportedValue(
      'audio.format',
      `Unsupported value: 'audio.format' does not support '${format}' on this server. Supported values are: ${quoted(speech.formats)}.`,
    );
  }
  if (speech.voices.includes(voiceOf(voice))) return;
  const param = typeof voice === 'string' ? 'audio.voice' : 'audio.voice.id';
  throw unsupportedValue(
    param,
    `Unsupported value: '${param}' does not name a voice of this server. Supported values are: ${quoted(speech.voices)}.`,
  );
}

function quoted(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
