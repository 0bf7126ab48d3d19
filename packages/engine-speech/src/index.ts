export { createSpeech } from './speech.ts';
export type { SpeechOptions } from './options.ts';
export type { VoicePreset } from './voices.ts';
