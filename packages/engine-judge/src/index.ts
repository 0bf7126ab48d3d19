export { createJudge } from './judge.ts';
export type { JudgeOptions, JudgePreset } from './options.ts';
