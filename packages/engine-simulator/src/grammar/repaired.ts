import type { Grammar, State, Steps } from '@modelwire/grammar';

/** Bytes that take a millisecond or so. */
const bytesPerStep = 2000;

/** The text, if the grammar accepts it; else as much of its beginning as may stay, with the shortest end. In steps. */
export function* repaired(grammar: Grammar, text: string): Steps<string> {
  const bytes = new TextEncoder().encode(text);
  let state: State = grammar.start();
  let length = 0;
  for (const byte of bytes) {
    const next = state.advanceByte(byte);
    if (next === undefined) break;
    state = next;
    length++;
    if (length % bytesPerStep === 0) yield;
  }
  if (length === bytes.length && state.canEnd()) return text;
  const end = yield* state.completionSteps();
  const whole = new Uint8Array(length + end.length);
  whole.set(bytes.subarray(0, length));
  whole.set(end, length);
  return new TextDecoder().decode(whole);
}

export function accepts(grammar: Grammar, text: string): boolean {
  return grammar.start().advance(text)?.canEnd() === true;
}
