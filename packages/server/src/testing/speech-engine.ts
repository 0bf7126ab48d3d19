import type { SpeechEngine, SpeechInit } from '@modelwire/ports';

export interface EchoSpeech extends SpeechEngine {
  /** The texts, in order, with voice and format. */
  readonly said: { readonly text: string; readonly init: SpeechInit }[];
}

/**
 * A speech engine for tests of the server: its bytes are the text itself. `flac` returns all bytes at the end, like formats with a length in
 * their header.
 */
export function echoSpeech(): EchoSpeech {
  const said: EchoSpeech['said'] = [];
  return {
    name: 'echo',
    voices: ['alloy', 'echo', 'own-1'],
    formats: ['pcm16', 'flac'],
    said,
    begin(init) {
      let held = '';
      let characters = 0;
      return {
        say(text) {
          init.signal.throwIfAborted();
          said.push({ text, init });
          characters += text.length;
          if (init.format === 'pcm16') return Promise.resolve(new TextEncoder().encode(text));
          held += text;
          return Promise.resolve(new Uint8Array(0));
        },
        end: () => Promise.resolve({ bytes: new TextEncoder().encode(held), seconds: characters / 10 }),
      };
    },
  };
}
