export { writeTinyModel } from './tiny-model.ts';
export type { TinyModelOptions } from './tiny-model.ts';
