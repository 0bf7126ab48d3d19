export { createSimulator } from './simulator.ts';
export type { Simulator } from './simulator.ts';
export type { SimulatorModel, SimulatorOptions } from './options.ts';
export { createSimulatorEmbedding } from './embedding/simulator-embedding.ts';
