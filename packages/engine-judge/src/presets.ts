import type { ModerationCategory, ModerationInputType } from '@modelwire/schema/types';

/** How a guard model is asked and what its reply means. */
export interface Preset {
  /** Model IDs that select the preset. */
  readonly models: RegExp;
  readonly inputs: readonly ModerationInputType[];
  /** Finds the deciding word in the reply, as its first group. */
  readonly decision: RegExp;
  /** The score of each deciding word, in lower case. */
  readonly labels: Readonly<Record<string, number>>;
  /** Finds the names of hazards in the reply. */
  readonly named: RegExp;
  /** The hazards that moderation has categories for. Those of a hazard that covers several get the same score. */
  readonly hazards: Readonly<Record<string, readonly ModerationCategory[]>>;
}

const llamaGuard = {
  decision: /^\s*(safe|unsafe)\b/i,
  labels: { safe: 0, unsafe: 1 },
  named: /\bS\d+\b/g,
  hazards: {
    S1: ['violence', 'illicit/violent'],
    S2: ['illicit'],
    S3: ['illicit'],
    S4: ['sexual/minors'],
    S9: ['illicit/violent'],
    S10: ['hate'],
    S11: ['self-harm'],
    S12: ['sexual'],
  },
} as const satisfies Partial<Preset>;

/** The guard models whose chat template contains their policy: the text is the only message. */
export const presets = {
  // https://github.com/meta-llama/PurpleLlama/blob/main/Llama-Guard3/8B/MODEL_CARD.md
  'llama-guard-3': { ...llamaGuard, models: /llama-?guard-?3/i, inputs: ['text'] },
  // https://github.com/meta-llama/PurpleLlama/blob/main/Llama-Guard4/12B/MODEL_CARD.md
  'llama-guard-4': { ...llamaGuard, models: /llama-?guard-?4/i, inputs: ['text', 'image'] },
  // https://github.com/QwenLM/Qwen3Guard and https://arxiv.org/abs/2510.14276
  'qwen3guard-gen': {
    models: /qwen3guard(?!-?stream)/i,
    inputs: ['text'],
    decision: /Safety:\s*(Safe|Unsafe|Controversial)\b/i,
    labels: { safe: 0, controversial: 0.5, unsafe: 1 },
    named: /Non-violent Illegal Acts|Violent|Sexual Content or Sexual Acts|Suicide & Self-Harm|Unethical Acts/g,
    hazards: {
      Violent: ['violence', 'illicit/violent'],
      'Non-violent Illegal Acts': ['illicit'],
      'Sexual Content or Sexual Acts': ['sexual'],
      'Suicide & Self-Harm': ['self-harm'],
      'Unethical Acts': ['hate', 'harassment'],
    },
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as readonly PresetName[];
