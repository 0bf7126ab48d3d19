import type { GgufInsights } from 'node-llama-cpp';
import type { DeviceOptions } from '../options.ts';
import type { Binding } from './binding.ts';
import { ggmlType } from './cache-type.ts';

/** Bytes of memory. */
export interface MemoryNeed {
  readonly ram: number;
  readonly gpu: number;
}

/** The sizes of a context: tokens of each sequence, and sequences. */
export interface ContextShape {
  readonly contextSize: number;
  readonly sequences: number;
}

/** The options of a context that its memory depends on. */
export type ContextOptions = Pick<DeviceOptions, 'batchSize' | 'flashAttention' | 'cacheType'>;

export interface ContextMemory {
  /**
   * The memory of a context as llama.cpp plans it. Only for sizes of which `approximate` says that they fit: llama.cpp ends the process where
   * a tensor is larger than the largest buffer of the device.
   */
  exact(shape: ContextShape, gpuLayers: number): Promise<MemoryNeed>;
  /** The memory of a context of any size, on all devices together, within about 15 %. */
  approximate(shape: ContextShape): number;
  /** The size of the largest tensor of a context, approximately: the keys or the values of a layer. */
  largestTensor(shape: ContextShape): number;
}

/** The sizes at which memory is measured. It grows linearly with each of them. */
const [shortContext, longContext] = [1024, 2048];

export async function measureContextMemory(
  binding: Binding,
  insights: GgufInsights,
  options: ContextOptions,
): Promise<ContextMemory> {
  const cacheType = ggmlType(binding, options.cacheType);
  const exact = async ({ contextSize, sequences }: ContextShape, gpuLayers: number): Promise<MemoryNeed> => {
    const { cpuRam, gpuVram } = await insights.estimateContextResourceRequirementsV2({
      contextSize,
      sequences,
      modelGpuLayers: gpuLayers,
      batchSize: batchTokens(options, sequences),
      flashAttention: options.flashAttention,
      kvCacheKeyType: cacheType,
      kvCacheValueType: cacheType,
      swaFullCache: true,
    });
    return { ram: cpuRam, gpu: gpuVram };
  };
  const measure = async (contextSize: number, sequences: number): Promise<number> => {
    const { ram, gpu } = await exact({ contextSize, sequences }, insights.totalLayers);
    return ram + gpu;
  };
  const one = await measure(shortContext, 1);
  const longer = await measure(longContext, 1);
  const two = await measure(shortContext, 2);
  const both = await measure(longContext, 2);
  const perCell = (both - longer - two + one) / (longContext - shortContext);
  const perToken = (longer - one) / (longContext - shortContext) - perCell;
  const perSequence = two - one - perCell * shortContext;
  const fixed = one - perSequence - (perToken + perCell) * shortContext;
  return {
    exact,
    approximate: ({ contextSize, sequences }) =>
      fixed + perToken * contextSize + perSequence * sequences + perCell * contextSize * sequences,
    largestTensor: ({ contextSize, sequences }) =>
      (perCell * contextSize * sequences) / (2 * Math.max(1, insights.totalLayers - 1)),
  };
}

/** The tokens of a batch: a part of a prompt and a token of each reply. */
export function batchTokens({ batchSize }: Pick<DeviceOptions, 'batchSize'>, sequences: number): number {
  return batchSize + sequences;
}
