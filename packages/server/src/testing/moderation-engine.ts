import type { ModerationEngine, ModerationInput, ModerationVerdict } from '@modelwire/ports';

/** A moderation engine for tests of the server: flags texts with the word `bad` as violence, and every image as sexual. */
export function wordModeration(inputs: readonly ('text' | 'image')[] = ['text', 'image']): ModerationEngine & {
  readonly asked: ModerationInput[];
} {
  const models = ['omni-moderation-latest', 'omni-moderation-2024-09-26'].map((id) => ({
    id,
    created: 1_700_000_000,
    owned_by: 'tests',
    inputs,
  }));
  const asked: ModerationInput[] = [];
  const verdict = (input: ModerationInput): ModerationVerdict => {
    const bad = input.some((part) => part.type === 'text' && part.text.includes('bad'));
    const image = input.some((part) => part.type === 'image');
    return {
      violence: { score: bad ? 0.9 : 0.1, flagged: bad, threshold: 0.5, appliedTo: ['text'] },
      sexual: { score: image ? 0.8 : 0, flagged: image, appliedTo: image ? ['image'] : [] },
    };
  };
  return {
    name: 'words',
    asked,
    models: () => models,
    moderate: ({ inputs: given }) => {
      asked.push(...given);
      return Promise.resolve(given.map(verdict));
    },
  };
}
