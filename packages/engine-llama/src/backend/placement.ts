import { freemem } from 'node:os';
import { constrainedMemory, memoryUsage } from 'node:process';
import type { GgufInsights, Llama } from 'node-llama-cpp';
import type { DeviceOptions } from '../options.ts';
import { LlamaSetupError } from '../setup-error.ts';
import type { Binding } from './binding.ts';
import { canPlanContext } from './context-probe.ts';
import { measureContextMemory } from './context-memory.ts';
import type { ContextMemory, ContextShape, MemoryNeed } from './context-memory.ts';

/** How a model is loaded: the layers on the GPU, and the sizes of its context. */
export interface Placement extends ContextShape {
  readonly gpuLayers: number;
}

/** A context that is not configured is at least this large, or as large as the one that the model was trained with. */
const minDefaultContext = 4096;
/** The part of the free memory that a context of a default size uses at most. */
const defaultContextShare = 0.5;
const defaultSequences = 4;
/** Every Vulkan device has buffers of this size. Where a tensor is larger than those of the device, llama.cpp aborts. */
const smallestVulkanBuffer = 2 ** 27;
/** The sizes of contexts are multiples of this. */
const contextStep = 256;

/**
 * Chooses what is not configured by the free memory, before any of it is allocated: as many layers on the GPU as fit there beside the context
 * of all sequences.
 *
 * @throws LlamaSetupError that names sizes which fit, if the configured ones do not.
 */
export async function planPlacement(
  binding: Binding,
  llama: Llama,
  insights: GgufInsights,
  options: DeviceOptions,
): Promise<Placement> {
  const free = await freeMemory(llama);
  const memory = await measureContextMemory(binding, insights, options);
  const totalLayers = insights.totalLayers;
  const wantedLayers = layersWanted(options, free, totalLayers);
  const weights = await insights.estimateModelResourceRequirementsV2({ gpuLayers: wantedLayers });
  const budget = contextBudget(free, weights.gpuVram, wantedLayers, totalLayers, options);
  const shape = chooseShape(memory, budget, insights.trainContextSize ?? minDefaultContext, options);
  if (memory.approximate(shape) > budget * 1.2) throw tooLarge(memory, shape, budget);
  if (wantedLayers > 0 && llama.gpu === 'vulkan' && memory.largestTensor(shape) > smallestVulkanBuffer) {
    const isPossible = await canPlanContext({ ...shape, options, gpuLayers: wantedLayers });
    if (!isPossible)
      throw tooLarge(memory, shape, (memory.approximate(shape) * smallestVulkanBuffer) / memory.largestTensor(shape));
  }
  const fits = async (gpuLayers: number): Promise<boolean> => {
    const { gpuVram } = await insights.estimateModelResourceRequirementsV2({ gpuLayers });
    const context = await memory.exact(shape, gpuLayers);
    // The weights in RAM are mapped from the file: the system reads them again where it needs their memory.
    return gpuVram + context.gpu <= free.gpu && context.ram <= free.ram;
  };
  if (wantedLayers === 0 || options.gpuLayers !== 'auto') {
    if (!(await fits(wantedLayers))) throw tooLarge(memory, shape, budget, wantedLayers);
    return { ...shape, gpuLayers: wantedLayers };
  }
  const gpuLayers = await largest(1, totalLayers, fits);
  if (gpuLayers !== undefined) return { ...shape, gpuLayers };
  if (options.gpu !== 'auto') {
    throw new LlamaSetupError(
      `gpu: ${String(options.gpu)}: no layer fits into the ${formatGb(free.gpu)} of free GPU memory beside the context. ${sizesThatFit(memory, shape, free.gpu / 2)}`,
    );
  }
  if (!(await fits(0))) throw tooLarge(memory, shape, budget);
  return { ...shape, gpuLayers: 0 };
}

function layersWanted({ gpuLayers }: DeviceOptions, free: MemoryNeed, totalLayers: number): number {
  if (free.gpu === 0) return 0;
  return typeof gpuLayers === 'number' ? Math.min(gpuLayers, totalLayers) : totalLayers;
}

/** The memory that a context can use: on the devices of its layers, beside their weights. */
function contextBudget(
  free: MemoryNeed,
  gpuWeights: number,
  gpuLayers: number,
  totalLayers: number,
  options: DeviceOptions,
): number {
  if (gpuLayers === 0) return free.ram;
  const besideWeights = Math.max(0, free.gpu - gpuWeights);
  // Where not all layers fit, `auto` leaves the others and their part of the context in RAM.
  if (options.gpuLayers === 'auto') return besideWeights + free.ram;
  return Math.min(besideWeights * (totalLayers / gpuLayers), besideWeights + free.ram);
}

/** The configured sizes, or those that fit. */
function chooseShape(
  memory: ContextMemory,
  budget: number,
  trainContextSize: number,
  options: DeviceOptions,
): ContextShape {
  const { contextSize, sequences } = options;
  if (contextSize !== undefined) {
    if (sequences !== undefined) return { contextSize, sequences };
    const fitting = [defaultSequences, 2].find(
      (count) => memory.approximate({ contextSize, sequences: count }) <= budget,
    );
    return { contextSize, sequences: fitting ?? 1 };
  }
  const count = sequences ?? defaultSequences;
  const size = maxContextSize(memory, count, budget * defaultContextShare);
  const least = Math.min(minDefaultContext, trainContextSize);
  return { contextSize: Math.min(trainContextSize, Math.max(least, size)), sequences: count };
}

function maxContextSize(memory: ContextMemory, sequences: number, budget: number): number {
  const empty = memory.approximate({ contextSize: 0, sequences });
  const perToken = memory.approximate({ contextSize: 1, sequences }) - empty;
  const tokens = Math.max(0, budget - empty) / Math.max(1, perToken);
  return Math.floor(tokens / contextStep) * contextStep;
}

function maxSequences(memory: ContextMemory, contextSize: number, budget: number): number {
  const empty = memory.approximate({ contextSize, sequences: 0 });
  const each = memory.approximate({ contextSize, sequences: 1 }) - empty;
  return Math.floor(Math.max(0, budget - empty) / Math.max(1, each));
}

function tooLarge(memory: ContextMemory, shape: ContextShape, budget: number, gpuLayers?: number): LlamaSetupError {
  const { contextSize, sequences } = shape;
  const layers = gpuLayers === undefined || gpuLayers === 0 ? '' : ` beside ${gpuLayers} layers on the GPU`;
  return new LlamaSetupError(
    `contextSize ${contextSize} for ${sequences} sequences needs about ${formatGb(memory.approximate(shape))}${layers}; ${formatGb(budget)} are free for it. ${sizesThatFit(memory, shape, budget)}`,
  );
}

/** A sentence that names sizes which fit. */
function sizesThatFit(memory: ContextMemory, { contextSize, sequences }: ContextShape, budget: number): string {
  // The estimate is not exact.
  const safe = budget * 0.85;
  const [size, count] = [maxContextSize(memory, sequences, safe), maxSequences(memory, contextSize, safe)];
  const choices = [
    ...(size >= contextStep ? [`contextSize ${size} with ${sequences} sequences`] : []),
    ...(count >= 1 ? [`sequences ${count} with contextSize ${contextSize}`] : []),
  ];
  const alternative = 'a cacheType of q8_0, fewer gpuLayers, or a smaller model';
  return choices.length === 0 ? `Use ${alternative}.` : `What fits: ${choices.join(', or ')}. Or use ${alternative}.`;
}

/** The largest integer from `low` to `high` for which `holds` resolves to true; undefined if there is none. */
async function largest(
  low: number,
  high: number,
  holds: (value: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (await holds(high)) return high;
  let [best, above]: [number | undefined, number] = [undefined, high];
  for (let from = low; from < above;) {
    const middle = Math.floor((from + above) / 2);
    if (await holds(middle)) [best, from] = [middle, middle + 1];
    else above = middle;
  }
  return best;
}

async function freeMemory(llama: Llama): Promise<MemoryNeed> {
  const [vram, { free }] = await Promise.all([llama.getVramState(), llama.getRamState()]);
  // Node.js counts memory that the system can reclaim on Linux, llama.cpp on macOS.
  const available = Math.max(freemem(), free);
  const container = constrainedMemory();
  const allowed = container > 0 ? container - memoryUsage.rss() : Infinity;
  const ram = Math.max(0, Math.min(available, allowed));
  const gpu = Math.max(0, vram.free - llama.vramPaddingSize);
  return { ram, gpu };
}

function formatGb(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GB`;
}
