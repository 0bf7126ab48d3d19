import { concatBytes } from '@modelwire/adapter-kit/internal';
import type { ChatEvent, ChatEvents, SpeechEngine } from '@modelwire/ports';
import type { ChatCompletionAudioParam, ChatCompletionCreateParams, CompletionUsage } from '@modelwire/schema/types';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import { flat, tokensOf } from '../events.ts';
import { sentences } from './sentences.ts';
import type { Sentences } from './sentences.ts';

export interface SpeechInit {
  readonly speech: ChatCompletionAudioParam;
  readonly call: Pick<Call, 'client' | 'principal'>;
  readonly body: Pick<ChatCompletionCreateParams, 'n'>;
  readonly server: ServerContext;
}

/** Maximum number of characters that are spoken for one request, over all choices: 20 minutes, 55 MB of WAV. Then a choice ends with `length`. */
const maxCharacters = 16_384;

type TextEvent = Extract<ChatEvent, { readonly type: 'text' }>;

/**
 * Converts a text reply to speech (API: `modalities`, `audio`): text becomes the transcript as it arrives, and each sentence is
 * synthesized when it is complete. Pieces of speech are multiples of three bytes, so that their base64 can be concatenated. Tool calls and
 * refusals are unchanged. `audio_tokens` are the tokens that were spoken, since a synthesizer generates none.
 */
export async function* synthesizeSpeech(
  events: ChatEvents,
  { speech, call, body, server }: SpeechInit,
): AsyncGenerator<ChatEvent> {
  const { speech: engine, audioExpiresSeconds } = server.options;
  if (!engine) throw new Error('no speech engine is configured');
  const choices = new Map<number, SpeechSynthesis | 'ended'>();
  let remainingCharacters = maxCharacters;
  let running = body.n ?? 1;
  let tokens = 0;
  let usage: CompletionUsage | undefined;
  const endController = new AbortController();
  const signal = AbortSignal.any([call.client.signal, endController.signal]);

  async function* end(choice: number, synthesis: SpeechSynthesis): AsyncGenerator<ChatEvent> {
    const expires_at = nowInSeconds(server.clock) + audioExpiresSeconds;
    const data = await synthesis.end();
    // The ID can be referenced as soon as the client knows it.
    await server.transcripts.save(call.principal.project, synthesis.id, {
      transcript: synthesis.transcript,
      expires_at,
    });
    yield { type: 'audio', choice, data, expires_at };
  }
  try {
    for await (const event of flat(events)) {
      if (event.type === 'usage') {
        usage = event.usage;
        yield withAudio(usage, tokens);
        continue;
      }
      if (event.type === 'meta') {
        yield event;
        continue;
      }
      const { choice } = event;
      let speaking = choices.get(choice);
      if (speaking === 'ended') continue;
      if (event.type === 'text') {
        const spoken = upTo(event, remainingCharacters);
        remainingCharacters -= spoken.text.length;
        const piece = transcriptOf(spoken);
        tokens += tokensOf(piece);
        if (!speaking) {
          speaking = new SpeechSynthesis(server.createId('audio_'), engine, speech, signal);
          choices.set(choice, speaking);
          yield { ...piece, id: speaking.id };
        } else yield piece;
        const data = await speaking.say(spoken.text);
        if (data.length > 0) yield { type: 'audio', choice, data };
        if (spoken === event) continue;
        yield* end(choice, speaking);
        choices.set(choice, 'ended');
        yield { type: 'finish', choice, reason: 'length' };
        if (--running === 0) break;
        continue;
      }
      if (event.type === 'finish') {
        if (speaking) yield* end(choice, speaking);
        choices.set(choice, 'ended');
        running--;
      }
      yield event;
    }
    if (usage) yield withAudio(usage, tokens);
  } finally {
    // Ends unfinished utterances: the engine failed, or the iteration ended early.
    endController.abort(new Error('the speech is no longer needed'));
  }
}

/** One choice while it is spoken. */
class SpeechSynthesis {
  readonly id: string;
  transcript = '';
  readonly #sentences: Sentences = sentences();
  readonly #utterance: ReturnType<SpeechEngine['begin']>;
  /** Bytes beyond a multiple of three. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(id: string, engine: SpeechEngine, { voice, format }: ChatCompletionAudioParam, signal: AbortSignal) {
    this.id = id;
    this.#utterance = engine.begin({ voice: voiceOf(voice), format, signal });
  }

  async say(text: string): Promise<Uint8Array> {
    this.transcript += text;
    return this.#aligned(await this.#speak(this.#sentences.add(text)));
  }

  async end(): Promise<Uint8Array> {
    const last = await this.#speak(this.#sentences.end());
    const { bytes } = await this.#utterance.end();
    return concatBytes([this.#rest, ...last, bytes]);
  }

  async #speak(completeSentences: readonly string[]): Promise<Uint8Array[]> {
    const pieces: Uint8Array[] = [];
    for (const sentence of completeSentences) pieces.push(await this.#utterance.say(sentence));
    return pieces;
  }

  #aligned(pieces: readonly Uint8Array[]): Uint8Array {
    const all = concatBytes([this.#rest, ...pieces]);
    const end = all.length - (all.length % 3);
    this.#rest = all.slice(end);
    return all.subarray(0, end);
  }
}

/** Custom voices are selected like built-in ones. */
export function voiceOf(voice: NonNullable<ChatCompletionCreateParams['audio']>['voice']): string {
  return typeof voice === 'string' ? voice : voice.id;
}

/** The event, truncated at the limit. */
function upTo(event: TextEvent, left: number): TextEvent {
  if (event.text.length <= left) return event;
  const { logprobs, ...rest } = event;
  return { ...rest, text: event.text.slice(0, left), ...(logprobs && { logprobs: [] }) };
}

function transcriptOf({ choice, text, tokens = 1, logprobs }: TextEvent): Extract<ChatEvent, { type: 'audio' }> {
  return { type: 'audio', choice, transcript: text, tokens, ...(logprobs && { logprobs }) };
}

function withAudio(usage: CompletionUsage, tokens: number): ChatEvent {
  const audio_tokens = Math.min(tokens, usage.completion_tokens);
  return {
    type: 'usage',
    usage: { ...usage, completion_tokens_details: { ...usage.completion_tokens_details, audio_tokens } },
  };
}
