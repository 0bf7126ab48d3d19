import type { GgufInsights, Llama } from 'node-llama-cpp';
import { expect, test } from 'vitest';
import { loadBinding } from './binding.ts';
import { planPlacement } from './placement.ts';
import type { DeviceOptions } from '../options.ts';

/** A small unit, so that the contexts of these tests fit into the memory of any machine. */
const unit = 2 ** 14;
const base: DeviceOptions = {
  ...{ path: '', id: 'm', owned_by: 'me', created: 0, threads: 1, chatTemplate: undefined },
  ...{ contextSize: undefined, sequences: undefined, gpu: 'auto', gpuLayers: 'auto' },
  ...{ batchSize: 256, flashAttention: 'auto', cacheType: 'f16', promptLookup: false },
};

/** A model of 30 layers of 100 units, whose context takes one for each token of each sequence. */
const insights: unknown = {
  totalLayers: 30,
  trainContextSize: 8192,
  estimateModelResourceRequirementsV2: ({ gpuLayers }: { gpuLayers: number }) =>
    Promise.resolve({ gpuVram: gpuLayers * 100 * unit, cpuRam: (30 - gpuLayers) * 100 * unit }),
  estimateContextResourceRequirementsV2: (shape: {
    contextSize: number;
    sequences: number;
    modelGpuLayers: number;
  }) => {
    const all = shape.contextSize * shape.sequences * unit;
    const gpuVram = (all * shape.modelGpuLayers) / 30;
    return Promise.resolve({ gpuVram, cpuRam: all - gpuVram });
  },
};

async function plan(options: Partial<DeviceOptions>, gpuMb: number, ramMb = 1_000_000) {
  const llama: unknown = {
    vramPaddingSize: 0,
    getVramState: () => Promise.resolve({ total: gpuMb * unit, free: gpuMb * unit, used: 0, unifiedSize: 0 }),
    getRamState: () => Promise.resolve({ total: ramMb * unit, free: ramMb * unit, wired: 0 }),
  };
  return planPlacement(await loadBinding(), llama as Llama, insights as GgufInsights, { ...base, ...options });
}

test('all layers go to the GPU if they fit there with the context of all sequences', async () => {
  expect(await plan({ contextSize: 1000, sequences: 4 }, 7_100)).toEqual({
    ...{ contextSize: 1000, sequences: 4, gpuLayers: 30 },
  });
});

test('a larger context leaves room for fewer layers', async () => {
  const layers = async (contextSize: number): Promise<number> =>
    (await plan({ contextSize, sequences: 4 }, 6_000)).gpuLayers;
  expect([await layers(500), await layers(1000), await layers(2000)]).toEqual([30, 25, 16]);
});

test('layers that are required and do not fit are an error with the sizes that do', async () => {
  const required = { contextSize: 1000, sequences: 4, gpu: 'cuda', gpuLayers: 'max' } as const;
  await expect(plan(required, 5_000)).rejects.toThrow(
    /contextSize 1000 for 4 sequences needs about 0.1 GB.*What fits: contextSize 256 with 4 sequences, or sequences 1 with contextSize 1000/,
  );
  expect((await plan({ ...required, gpuLayers: 20 }, 5_000)).gpuLayers).toBe(20);
});

test('an explicit GPU on which no layer fits is an error', async () => {
  await expect(plan({ contextSize: 4000, sequences: 4, gpu: 'vulkan' }, 300)).rejects.toThrow(
    /gpu: vulkan: no layer fits into the 0.0 GB of free GPU memory/,
  );
  expect((await plan({ contextSize: 4000, sequences: 4 }, 300)).gpuLayers).toBe(0);
});

test('fewer sequences are chosen if four of the given size do not fit', async () => {
  const placed = await plan({ contextSize: 1000, gpu: 'cuda', gpuLayers: 'max' }, 5_100);
  expect(placed).toEqual({ contextSize: 1000, sequences: 2, gpuLayers: 30 });
});

test('a context of the default size takes half of the memory beside the weights', async () => {
  const sized = { gpu: 'cuda', gpuLayers: 'max', sequences: 1 } as const;
  expect((await plan(sized, 3_000 + 10_240)).contextSize).toBe(5120);
  expect((await plan(sized, 3_000 + 100_000)).contextSize).toBe(8192);
  expect((await plan(sized, 3_000 + 5_000)).contextSize).toBe(4096);
});
