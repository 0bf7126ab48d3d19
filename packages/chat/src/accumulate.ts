import type { ChatCompletion, ChatCompletionChoice, ChatCompletionChunk } from '@modelwire/schema/types';
import { addPieces, copyFields, fieldsOf, isFields } from './pieces.ts';
import type { Fields } from './pieces.ts';

/** A choice that may not be over: `finish_reason` is null until its last chunk. */
export interface ChatChoiceSnapshot extends Omit<ChatCompletionChoice, 'finish_reason'> {
  finish_reason: ChatCompletionChoice['finish_reason'] | null;
}

/** A chat completion as far as its chunks have come. */
export interface ChatSnapshot extends Omit<ChatCompletion, 'choices'> {
  choices: ChatChoiceSnapshot[];
}

export interface ChatAccumulator {
  /** Takes the next chunk. Costs the size of the chunk, whatever came before. */
  push(chunk: ChatCompletionChunk): void;
  /** What the chunks so far amount to, as a copy; `undefined` before the first one. */
  snapshot(): ChatSnapshot | undefined;
}

/** A choice while it grows. Calls come by index, in any order. */
interface Growing {
  readonly fields: Fields;
  readonly message: Fields;
  readonly calls: Map<number, Fields>;
  logprobs: Fields | null;
}

/**
 * Puts the chunks of one completion together (interface: Chat completion chunk object), for any `n`. Fields that the
 * interface does not name are kept: strings of a delta are appended, elsewhere the last value counts. `obfuscation` is
 * dropped.
 */
export function createAccumulator(): ChatAccumulator {
  const head: Fields = {};
  const choices = new Map<number, Growing>();
  let begun = false;

  return {
    push(chunk) {
      begun = true;
      for (const [key, value] of fieldsOf(chunk)) {
        if (key === 'choices') {
          for (const choice of Array.isArray(value) ? value : []) if (isFields(choice)) pushChoice(choice);
        } else if (key !== 'obfuscation') setField(head, key, value);
      }
    },
    snapshot() {
      if (!begun) return undefined;
      const { usage, ...rest } = copyFields(head);
      const completion: Fields = {
        ...rest,
        object: 'chat.completion',
        choices: byIndex(choices).map(snapshotChoice),
        // Null in every chunk but the last one, and nothing a whole completion has.
        ...(isFields(usage) && { usage }),
      };
      // The type is the server's word, as with every answer.
      return completion as unknown as ChatSnapshot;
    },
  };

  function pushChoice(choice: Fields): void {
    const growing = entry(choices, choice['index'], () => ({
      fields: { finish_reason: null },
      message: { role: 'assistant', content: null, refusal: null },
      calls: new Map<number, Fields>(),
      logprobs: null,
    }));
    for (const [key, value] of fieldsOf(choice)) {
      if (key === 'delta') {
        if (isFields(value)) pushDelta(growing, value);
      } else if (key === 'logprobs') {
        if (isFields(value)) addPieces((growing.logprobs ??= { content: null, refusal: null }), value);
      } else if (key !== 'index') setField(growing.fields, key, value);
    }
  }
}

function pushDelta({ message, calls }: Growing, { tool_calls: pieces, ...rest }: Fields): void {
  addPieces(message, rest);
  for (const piece of Array.isArray(pieces) ? pieces : []) {
    if (isFields(piece))
      addPieces(
        entry(calls, piece['index'], () => ({})),
        piece,
      );
  }
}

function snapshotChoice([index, { fields, message, calls, logprobs }]: readonly [number, Growing]): Fields {
  const copy = copyFields(message);
  if (calls.size > 0) {
    copy['tool_calls'] = byIndex(calls).map(([, call]) => {
      const { index: _, ...rest } = copyFields(call);
      return rest;
    });
  }
  // Some servers open every choice with an empty text; whole answers of these kinds have none.
  if (copy['content'] === '' && (calls.size > 0 || copy['refusal'] !== null || isFields(copy['function_call']))) {
    copy['content'] = null;
  }
  const audio = copy['audio'];
  if (isFields(audio) && typeof audio['data'] === 'string') audio['data'] = joinBase64(audio['data']);
  return { index, message: copy, logprobs: logprobs && copyFields(logprobs), ...copyFields(fields) };
}

/** What chunks repeat: the last value counts, and null only where nothing came. */
function setField(into: Fields, key: string, value: unknown): void {
  if (key !== '__proto__' && (value !== null || into[key] === undefined)) into[key] = value;
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

/** One base64 text from pieces strung together, each of which may have been encoded, and padded, by itself. */
function joinBase64(text: string): string {
  if (!/=[^=]/.test(text)) return text;
  try {
    return btoa((text.match(/[^=]+=*/g) ?? []).map(atob).join(''));
  } catch {
    // Not base64: kept as it came.
    return text;
  }
}
