import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { cacheTypes } from './backend/cache-type.ts';
import type { LlamaCacheType } from './backend/cache-type.ts';
import { LlamaSetupError } from './setup-error.ts';

/** A GPU backend of llama.cpp; `auto` uses one if available, and false none. */
export type LlamaGpu = 'auto' | 'cuda' | 'vulkan' | 'metal' | false;
/** The number of layers on the GPU; `auto` is as many as fit beside the context, and `max` all. */
export type LlamaGpuLayers = 'auto' | 'max' | number;

/** The model file, and the model in lists. */
interface ModelFileOptions {
  /** The GGUF file; for a split model, its first part. */
  readonly path: string;
  /** The model ID for requests. Default: the file name without `.gguf`. */
  readonly id?: string | undefined;
  /** `owned_by` in `GET /v1/models`. Default `local`. */
  readonly owned_by?: string | undefined;
  /** `created` in `GET /v1/models`, in Unix seconds. Default: the modification time of the file. */
  readonly created?: number | undefined;
}

/** Options of `createLlamaEmbedding`. An input can have up to `contextSize` - 1 tokens. */
export interface LlamaEmbeddingOptions extends ModelFileOptions {
  /** Size of the context in tokens. Default: 4096, or the training context of the model if that is less. */
  readonly contextSize?: number | undefined;
  /**
   * The number of compute threads. Default: the number of cores minus one, because the threads of llama.cpp wait for each other and slow down
   * when they share cores with other work.
   */
  readonly threads?: number | undefined;
  /** The GPU backend. Default `auto`: a GPU if one is found and its build of node-llama-cpp is installed. Any other must be usable. */
  readonly gpu?: LlamaGpu | undefined;
  /** The number of layers on the GPU. Default `auto`: as many as fit there beside the context of all sequences. */
  readonly gpuLayers?: LlamaGpuLayers | undefined;
}

/** Options of `createLlama`. */
export interface LlamaEngineOptions extends LlamaEmbeddingOptions {
  /**
   * Maximum number of tokens of a prompt and its reply together. Default: the training context of the model, or less if the contexts of all
   * sequences need more than half of the free memory, but at least 4096.
   */
  readonly contextSize?: number | undefined;
  /** Maximum number of concurrent replies, each with its own context. Default 4, or less if `contextSize` is set and so many do not fit. */
  readonly sequences?: number | undefined;
  /** Maximum number of tokens of prompts that are evaluated in one step. Default 128, or 256 with a GPU. */
  readonly batchSize?: number | undefined;
  /** Whether attention is computed without the matrix of all scores. Default `auto`: where the model and the device support it. */
  readonly flashAttention?: boolean | 'auto' | undefined;
  /** The data type of the cached keys and values. Default `f16`; `q8_0` needs half of the memory. Quantized types need flash attention. */
  readonly cacheType?: LlamaCacheType | undefined;
  /**
   * Whether text of the prompt that a reply repeats is evaluated ahead (prompt lookup, n-gram speculation): where the last tokens of the reply
   * occur earlier, those that follow there. Default false.
   */
  readonly promptLookup?: boolean | undefined;
  /** A chat template (Jinja) that replaces the template of the file. */
  readonly chatTemplate?: string | undefined;
}

/** The options after defaults have been applied, except those that depend on the model. */
export interface ResolvedOptions {
  readonly path: string;
  readonly id: string;
  readonly owned_by: string;
  readonly created: number;
  readonly contextSize: number | undefined;
  readonly sequences: number | undefined;
  readonly threads: number;
  readonly gpu: LlamaGpu;
  readonly gpuLayers: LlamaGpuLayers;
  readonly batchSize: number | undefined;
  readonly flashAttention: boolean | 'auto';
  readonly cacheType: LlamaCacheType;
  readonly promptLookup: boolean;
  readonly chatTemplate: string | undefined;
}

/** The options after `batchSize` has been chosen for the device. */
export interface DeviceOptions extends ResolvedOptions {
  readonly batchSize: number;
}

/** Running replies wait while a part of a prompt is evaluated: on a CPU, half as long as with 256 tokens, which takes as much time per token. */
const cpuBatchSize = 128;
const gpuBatchSize = 256;

const optionNames = [
  'path',
  'id',
  'owned_by',
  'created',
  'contextSize',
  'sequences',
  'threads',
  'gpu',
  'gpuLayers',
  'batchSize',
  'flashAttention',
  'cacheType',
  'promptLookup',
  'chatTemplate',
] as const satisfies readonly (keyof LlamaEngineOptions)[];
const gpus: readonly LlamaGpu[] = ['auto', 'cuda', 'vulkan', 'metal', false];

/** Validates the options and applies the defaults. */
export function resolveOptions(options: LlamaEngineOptions): ResolvedOptions {
  const known: readonly string[] = optionNames;
  for (const name of Object.keys(options)) {
    check(known.includes(name), `unknown option '${name}' of createLlama; the options are ${optionNames.join(', ')}`);
  }
  const { path, owned_by = 'local', contextSize, gpu = 'auto', chatTemplate } = options;
  check(typeof path === 'string' && path !== '', 'path must be the path of a GGUF file');
  const modifiedAt = modificationTime(path);
  const { id = basename(path).replace(/\.gguf$/i, ''), created = modifiedAt } = options;
  const { sequences, threads = Math.max(1, availableParallelism() - 1), gpuLayers = 'auto' } = options;
  const { batchSize, flashAttention = 'auto', cacheType = 'f16', promptLookup = false } = options;
  check(typeof id === 'string' && id !== '', 'id must be a non-empty string');
  check(typeof owned_by === 'string' && owned_by !== '', 'owned_by must be a non-empty string');
  check(isIntegerFrom(created, 0), 'created must be an integer in Unix seconds');
  check(contextSize === undefined || isIntegerFrom(contextSize, 64), 'contextSize must be an integer of at least 64');
  check(
    sequences === undefined || (isIntegerFrom(sequences, 1) && sequences <= 256),
    'sequences must be an integer from 1 to 256',
  );
  check(isIntegerFrom(threads, 1), 'threads must be an integer of at least 1');
  check(gpus.includes(gpu), `gpu must be one of ${gpus.join(', ')}`);
  check(
    gpuLayers === 'auto' || gpuLayers === 'max' || isIntegerFrom(gpuLayers, 0),
    'gpuLayers must be auto, max or an integer of at least 0',
  );
  check(
    batchSize === undefined || (isIntegerFrom(batchSize, 32) && batchSize <= 8192),
    'batchSize must be an integer from 32 to 8192',
  );
  check([true, false, 'auto'].includes(flashAttention), 'flashAttention must be auto, true or false');
  check(cacheTypes.includes(cacheType), `cacheType must be one of ${cacheTypes.join(', ')}`);
  check(flashAttention !== false || cacheType.endsWith('f16'), `cacheType ${cacheType} requires flashAttention`);
  check(typeof promptLookup === 'boolean', 'promptLookup must be true or false');
  check(chatTemplate === undefined || typeof chatTemplate === 'string', 'chatTemplate must be a string');
  return Object.freeze({
    ...{ path, id, owned_by, created, contextSize, sequences, threads },
    ...{ gpu, gpuLayers, batchSize, flashAttention, cacheType, promptLookup, chatTemplate },
  });
}

/** Chooses what depends on the device. */
export function withDeviceDefaults(options: ResolvedOptions, hasGpu: boolean): DeviceOptions {
  return { ...options, batchSize: options.batchSize ?? (hasGpu ? gpuBatchSize : cpuBatchSize) };
}

/** Validates the options of an embedding model and applies the defaults. @throws LlamaSetupError that names the option. */
export function embeddingOptions(options: LlamaEmbeddingOptions): ResolvedOptions {
  for (const name of ['sequences', 'batchSize', 'flashAttention', 'cacheType', 'promptLookup', 'chatTemplate'])
    check(!(name in options), `createLlamaEmbedding has no option '${name}'`);
  return resolveOptions(options);
}

function modificationTime(path: string): number {
  try {
    const file = statSync(path);
    if (file.isFile()) return Math.floor(file.mtimeMs / 1000);
  } catch {
    // Reported below.
  }
  throw new LlamaSetupError(`path: the file '${path}' does not exist`);
}

function isIntegerFrom(value: unknown, min: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min;
}

function check(isValid: boolean, message: string): void {
  if (!isValid) throw new LlamaSetupError(message);
}
