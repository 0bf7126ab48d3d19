import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { LlamaSetupError } from './setup-error.ts';

/** A GPU backend of llama.cpp; `auto` uses one if available, and false none. */
export type LlamaGpu = 'auto' | 'cuda' | 'vulkan' | 'metal' | false;

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
  /** The GPU backend. Default `auto`: a GPU if one is found and its build of node-llama-cpp is installed. */
  readonly gpu?: LlamaGpu | undefined;
}

/** Options of `createLlama`. */
export interface LlamaEngineOptions extends LlamaEmbeddingOptions {
  /**
   * Maximum number of tokens of a prompt and its reply together. Default: the training context of the model, or less if the contexts of all
   * sequences do not fit into the free memory.
   */
  readonly contextSize?: number | undefined;
  /** Maximum number of concurrent replies, each with its own context. Default 4. */
  readonly sequences?: number | undefined;
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
  readonly sequences: number;
  readonly threads: number;
  readonly gpu: LlamaGpu;
  readonly chatTemplate: string | undefined;
}

const optionNames = [
  'path',
  'id',
  'owned_by',
  'created',
  'contextSize',
  'sequences',
  'threads',
  'gpu',
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
  const { sequences = 4, threads = Math.max(1, availableParallelism() - 1) } = options;
  check(typeof id === 'string' && id !== '', 'id must be a non-empty string');
  check(typeof owned_by === 'string' && owned_by !== '', 'owned_by must be a non-empty string');
  check(isIntegerFrom(created, 0), 'created must be an integer in Unix seconds');
  check(contextSize === undefined || isIntegerFrom(contextSize, 64), 'contextSize must be an integer of at least 64');
  check(isIntegerFrom(sequences, 1) && sequences <= 256, 'sequences must be an integer from 1 to 256');
  check(isIntegerFrom(threads, 1), 'threads must be an integer of at least 1');
  check(gpus.includes(gpu), `gpu must be one of ${gpus.join(', ')}`);
  check(chatTemplate === undefined || typeof chatTemplate === 'string', 'chatTemplate must be a string');
  return Object.freeze({ path, id, owned_by, created, contextSize, sequences, threads, gpu, chatTemplate });
}

/** Validates the options of an embedding model and applies the defaults. @throws LlamaSetupError that names the option. */
export function embeddingOptions(options: LlamaEmbeddingOptions): ResolvedOptions {
  for (const name of ['sequences', 'chatTemplate'])
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
