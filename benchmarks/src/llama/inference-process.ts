import { answerParent } from '../child.ts';
import { openBinding, openEngine } from './inference.ts';
import type { Inference } from './inference.ts';
import type { InferenceSettings, InferenceResult, InferenceLoad } from './options-section.ts';

let inference: Inference | undefined;

/** The process of one program that generates replies: the engine, or node-llama-cpp alone. */
answerParent(async (asked): Promise<InferenceResult | undefined> => {
  if (inference) return measure(inference, asked as InferenceLoad);
  const { program, options } = asked as InferenceSettings;
  inference = program === 'binding' ? await openBinding(options) : await openEngine(options);
  return undefined;
});

async function measure(generate: Inference, load: InferenceLoad): Promise<InferenceResult> {
  const { streams, promptWords, maxTokens, salt, isStaggered } = load;
  const running = Promise.withResolvers<undefined>();
  let waiting = streams;
  let received = 0;
  let promptTokens = 0;
  let longestPauseMs = 0;
  let before = { received: 0, cpuMs: NaN };
  const start = cpuMs();
  const read = async (index: number): Promise<void> => {
    if (isStaggered && index > 0) await running.promise;
    let last: number | undefined;
    for await (const part of generate(
      `${salt}-${index}. ${'Tell a long story. '.repeat(promptWords / 4)}`,
      maxTokens,
    )) {
      received += part.tokens;
      if (last === undefined) {
        promptTokens += part.promptTokens;
        if (--waiting === 0) before = { received, cpuMs: cpuMs() };
      } else if (index === 0) {
        running.resolve(undefined);
        longestPauseMs = Math.max(longestPauseMs, performance.now() - last);
      }
      last = performance.now();
    }
  };
  await Promise.all(Array.from({ length: streams }, (_, index) => read(index)));
  return {
    promptCpuMs: (before.cpuMs - start) / promptTokens,
    replyCpuMs: (cpuMs() - before.cpuMs) / (received - before.received),
    longestPauseMs,
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
