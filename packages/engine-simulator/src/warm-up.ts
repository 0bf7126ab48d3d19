import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { compileJsonSchema } from '@modelwire/grammar';
import { numbersIn, namesIn, quotedIn } from './values/phrases.ts';

const words = `Ask "Ada Lovelace" in Paris, TX for 2 or 'three' maps.`;

/** What the first request with a JSON Schema would pay for: automata of free strings and numbers, and patterns of Unicode letters. */
const steps: readonly (() => unknown)[] = [
  () => compileJsonSchema({ type: 'string' }),
  () => compileJsonSchema({ type: 'number' }),
  () => compileJsonSchema({ type: 'integer' }),
  () => quotedIn(words),
  () => namesIn(words),
  () => numbersIn(words),
];

/**
 * Compiles what every server needs, once in a process. It takes about 100 ms, which would block the event loop within a request, and
 * several times that on a busy machine.
 */
export async function warmUp(): Promise<void> {
  // V8 compiles a pattern to bytecode at its first use, and to machine code at the second.
  for (const step of [...steps, ...steps]) {
    step();
    await yieldToEventLoop();
  }
}
