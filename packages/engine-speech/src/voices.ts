import type { BuiltInVoice } from '@modelwire/schema/types';

/** Parameters of a voice. */
export interface VoicePreset {
  /** Whose recordings: `slt` is a woman, `rms`, `awb` (a Scot) and `kal16` are men. */
  readonly speaker: 'slt' | 'rms' | 'awb' | 'kal16';
  /** Mean pitch in hertz, 50 to 400. */
  readonly pitch: number;
  /** Duration factor, 0.5 to 2; 1 is normal. */
  readonly pace: number;
  /** Above 1 a smaller head, below 1 a larger one: 0.75 to 1.35. */
  readonly size: number;
}

/** The API's voices. They are synthetic and imitate nobody; each sounds different. */
export const builtInVoices: Readonly<Record<BuiltInVoice, VoicePreset>> = {
  alloy: { speaker: 'slt', pitch: 185, pace: 1, size: 1 },
  ash: { speaker: 'rms', pitch: 105, pace: 1, size: 1 },
  ballad: { speaker: 'awb', pitch: 125, pace: 1.08, size: 1 },
  cedar: { speaker: 'rms', pitch: 98, pace: 0.96, size: 1.04 },
  coral: { speaker: 'slt', pitch: 215, pace: 0.95, size: 1.04 },
  echo: { speaker: 'rms', pitch: 92, pace: 1.03, size: 0.96 },
  fable: { speaker: 'awb', pitch: 145, pace: 0.97, size: 1.05 },
  marin: { speaker: 'slt', pitch: 200, pace: 1.04, size: 0.94 },
  nova: { speaker: 'slt', pitch: 225, pace: 0.92, size: 1.07 },
  onyx: { speaker: 'rms', pitch: 80, pace: 1.06, size: 0.9 },
  sage: { speaker: 'slt', pitch: 170, pace: 1.1, size: 0.96 },
  shimmer: { speaker: 'slt', pitch: 240, pace: 1, size: 1.12 },
  verse: { speaker: 'kal16', pitch: 110, pace: 1, size: 1 },
};
