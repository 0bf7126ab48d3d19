import type { ChatCompletion, ChatCompletionChoice, ChatCompletionChunk } from '@modelwire/schema/types';
import { mergeDelta, copyFields, definedEntries, isFields } from './merge-delta.ts';
import type { Fields } from './merge-delta.ts';

/** A choice that may be incomplete: `finish_reason` is null until its last chunk. */
export interface ChatChoiceSnapshot extends Omit<ChatCompletionChoice, 'finish_reason'> {
  readonly finish_reason: ChatCompletionChoice['finish_reason'] | null;
}

/** A chat completion from the chunks so far. */
export interface ChatSnapshot extends Omit<ChatCompletion, 'choices'> {
  readonly choices: readonly ChatChoiceSnapshot[];
}

export interface ChatAccumulator {
  /** Adds a chunk, in time proportional to its size. */
  push(chunk: ChatCompletionChunk): void;
  /** A copy of the completion so far; `undefined` before the first chunk. */
  snapshot(): ChatSnapshot | undefined;
}

/** A choice while chunks are added. Tool calls arrive by index, in any order. */
interface ChoiceState {
  readonly fields: Fields;
  readonly message: Fields;
  readonly calls: Map<number, Fields>;
  logprobs: Fields | null;
}

/**
 * Accumulates the chunks of one completion (API: Chat completion chunk object), for any `n`. Keeps unknown fields: strings of a
 * delta are appended, elsewhere the last value counts. Drops `obfuscation`.
 */
export function createAccumulator(): ChatAccumulator {
  const completionFields: Fields = {};
  const choices = new Map<number, ChoiceState>();
  let hasChunk = false;

  return {
    push(chunk) {
      hasChunk = true;
      for (const [key, value] of definedEntries(chunk)) {
        if (key === 'choices') {
          for (const choice of Array.isArray(value) ? value : []) if (isFields(choice)) pushChoice(choice);
        } else if (key !== 'obfuscation') setField(completionFields, key, value);
      }
    },
    snapshot() {
      if (!hasChunk) return undefined;
      const { usage, ...rest } = copyFields(completionFields);
      const completion: Fields = {
        ...rest,
        object: 'chat.completion',
        choices: byIndex(choices).map(snapshotChoice),
        // Null in all chunks but the last; a complete completion has no null usage.
        ...(isFields(usage) && { usage }),
      };
      // Not validated, as with all responses.
      return completion as unknown as ChatSnapshot;
    },
  };

  function pushChoice(choice: Fields): void {
    const state = entry(choices, choice['index'], () => ({
      fields: { finish_reason: null },
      message: { role: 'assistant', content: null, refusal: null },
      calls: new Map<number, Fields>(),
      logprobs: null,
    }));
    for (const [key, value] of definedEntries(choice)) {
      if (key === 'delta') {
        if (isFields(value)) pushDelta(state, value);
      } else if (key === 'logprobs') {
        if (isFields(value)) mergeDelta((state.logprobs ??= { content: null, refusal: null }), value);
      } else if (key !== 'index') setField(state.fields, key, value);
    }
  }
}

function pushDelta({ message, calls }: ChoiceState, { tool_calls: pieces, ...rest }: Fields): void {
  mergeDelta(message, rest);
  for (const piece of Array.isArray(pieces) ? pieces : []) {
    if (isFields(piece))
      mergeDelta(
        entry(calls, piece['index'], () => ({})),
        piece,
      );
  }
}

function snapshotChoice([index, { fields, message, calls, logprobs }]: readonly [number, ChoiceState]): Fields {
  const copy = copyFields(message);
  if (calls.size > 0) {
    copy['tool_calls'] = byIndex(calls).map(([, call]) => {
      const { index: _, ...rest } = copyFields(call);
      return rest;
    });
  }
  // Some servers start every choice with an empty text, which complete responses of these kinds do not have.
  if (copy['content'] === '' && (calls.size > 0 || copy['refusal'] !== null || isFields(copy['function_call']))) {
    copy['content'] = null;
  }
  const audio = copy['audio'];
  if (isFields(audio) && typeof audio['data'] === 'string') audio['data'] = joinBase64(audio['data']);
  return { index, message: copy, logprobs: logprobs && copyFields(logprobs), ...copyFields(fields) };
}

/** Sets a field that chunks repeat: the last value counts; null only if there is no value yet. */
function setField(target: Fields, key: string, value: unknown): void {
  if (key !== '__proto__' && (value !== null || target[key] === undefined)) target[key] = value;
}

function entry<T>(map: Map<number, T>, index: unknown, create: () => T): T {
  const key = typeof index === 'number' ? index : 0;
  let found = map.get(key);
  if (found === undefined) map.set(key, (found = create()));
  return found;
}

function byIndex<T>(map: Map<number, T>): [number, T][] {
  return [...map].sort(([a], [b]) => a - b);
}

/** Joins base64 deltas, each of which may have its own padding. */
function joinBase64(text: string): string {
  if (!/=[^=]/.test(text)) return text;
  try {
    return btoa((text.match(/[^=]+=*/g) ?? []).map(atob).join(''));
  } catch {
    // Not base64: unchanged.
    return text;
  }
}
