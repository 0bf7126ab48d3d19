import { existsSync } from 'node:fs';
import type { ModelRuntime } from '@modelwire/schema/types';
import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp';
import type { ResolvedOptions } from '../options.ts';
import { explainUnusedBackend, isBuildInstalled, thisSystem } from './gpu-build.ts';
import type { Placement } from './placement.ts';

export interface RunningModel {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context?: LlamaContext;
  readonly placement: Placement;
}

/** Where a model runs, and the memory that it takes. */
export async function describeRuntime({ llama, model, context, placement }: RunningModel): Promise<ModelRuntime> {
  const devices = await llama.getGpuDeviceNames();
  const usesGpu = model.gpuLayers > 0 && devices.length > 0;
  const [weights, contexts] = [model.memoryUsage, context?.memoryUsage];
  return Object.freeze({
    backend: usesGpu && llama.gpu !== false ? llama.gpu : 'cpu',
    device: usesGpu ? devices.join(', ') : null,
    gpu_layers: usesGpu ? model.gpuLayers : 0,
    layers: model.fileInsights.totalLayers,
    gpu_memory_bytes: weights.vram + (contexts?.vram ?? 0),
    memory_bytes: weights.ram + (contexts?.ram ?? 0),
    context_size: placement.contextSize,
    sequences: placement.sequences,
  });
}

const nvidiaDriver = '/proc/driver/nvidia/version';

/** Why the GPU is used partly or not at all, although `gpu` is `auto`; undefined without a GPU and its builds. */
export function placementWarning(
  { gpu, gpuLayers }: Pick<ResolvedOptions, 'gpu' | 'gpuLayers'>,
  runtime: ModelRuntime,
  target = thisSystem(),
): string | undefined {
  if (gpu === false || gpuLayers === 0) return undefined;
  const { gpu_layers: used, layers, context_size, sequences } = runtime;
  if (used > 0) {
    if (gpuLayers !== 'auto' || used === layers) return undefined;
    return `only ${used} of ${layers} layers fit on the GPU beside the context of ${sequences} x ${context_size} tokens; the others run on the CPU, which is slower. A smaller contextSize, fewer sequences, or cacheType q8_0 need less memory`;
  }
  const installed = (['cuda', 'vulkan', 'metal'] as const).filter((backend) => isBuildInstalled(backend, target));
  if (installed.length > 0) {
    const reasons = installed.map((backend) => `${backend}: ${explainUnusedBackend(backend, target)}`);
    return `the model runs on the CPU. ${reasons.map((reason) => reason.replace(/\.$/, '')).join('; ')}`;
  }
  if (!existsSync(nvidiaDriver)) return undefined;
  return `the model runs on the CPU, although there is an NVIDIA GPU. ${explainUnusedBackend('cuda', target)}`;
}
