import { createPause } from '@modelwire/adapter-kit';
import { modelNotFound } from '@modelwire/ports';
import type { Pause } from '@modelwire/adapter-kit';
import type { ModerationEngine, ModerationInput, ModerationVerdict } from '@modelwire/ports';
import { categories, columnOf } from './categories.ts';
import { takeMaximum, scoreWindows } from './classifier.ts';
import { fullModels, type TextModerationOptions } from './options.ts';
import { judgedCategories } from './thresholds.ts';
import { loadWeights, type Weights } from './weights.ts';

/** Of each score, which is scaled accordingly. */
const threshold = 0.5;

/**
 * A moderation engine that classifies text with a small linear model and context rules, in this process and without a network.
 * The same text always gets the same scores. Weights are loaded at the first use (API: POST /v1/moderations).
 * @throws {TypeError} for unknown options.
 */
export function createTextModeration(options: TextModerationOptions = {}): ModerationEngine {
  const models = fullModels(options);
  return {
    name: 'text-moderation',
    models: () => models,
    moderate: async ({ model, inputs }, { signal }) => {
      if (!models.some(({ id }) => id === model)) throw modelNotFound(model);
      const loaded = await loadWeights();
      signal.throwIfAborted();
      // Over all inputs of the request. A window takes at most a few milliseconds.
      const pause = createPause(signal);
      const verdicts: ModerationVerdict[] = [];
      for (const input of inputs) verdicts.push(await judge(input, loaded, pause));
      return verdicts;
    },
  };
}

/** Joins the parts of an input, so that a text split over two is detected too. */
async function judge(input: ModerationInput, loaded: Weights, pause: Pause): Promise<ModerationVerdict> {
  const texts = input.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  // Without text this engine scores nothing.
  if (texts.length === 0) return {};
  const highest = new Float64Array(categories.length);
  const work = { steps: 0 };
  for (const window of scoreWindows(texts.join('\n'), loaded, work)) {
    takeMaximum(highest, window);
    const waiting = pause();
    if (waiting !== undefined) await waiting;
  }
  return Object.fromEntries(
    judgedCategories.map((category) => {
      const score = highest[columnOf[category]] ?? 0;
      return [category, { score, flagged: score >= threshold, threshold, appliedTo: ['text'] as const }];
    }),
  );
}
