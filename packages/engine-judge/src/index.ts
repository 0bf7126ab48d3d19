export { createJudge } from './judge.ts';
export type { JudgeOptions } from './options.ts';
