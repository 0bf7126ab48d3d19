import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { LlamaSetupError } from './setup-error.ts';

export type LlamaGpu = 'auto' | 'cuda' | 'vulkan' | 'metal' | false;

/** What `createLlama` takes. */
export interface LlamaEngineOptions {
  /** The GGUF file; of a split model the first part. */
  readonly path: string;
  /** The id that callers use. Default: the file's name without `.gguf`. */
  readonly id?: string | undefined;
  /** As `GET /v1/models` shows it. Default `local`. */
  readonly owned_by?: string | undefined;
  /** Unix seconds, as `GET /v1/models` shows it. Default: when the file was last changed. */
  readonly created?: number | undefined;
  /** Tokens that a prompt and its reply have room for together. Default: 4096, or what the model was trained with if that is less. */
  readonly contextSize?: number | undefined;
  /** Replies generated at once, each with a context of its own. Default 4. */
  readonly sequences?: number | undefined;
  /** Threads that compute. Default: one less than there are cores: llama.cpp's wait for each other, and do badly beside other work. */
  readonly threads?: number | undefined;
  /** Default `auto`: a graphics card where one is found and its build of node-llama-cpp is installed. */
  readonly gpu?: LlamaGpu | undefined;
  /** A chat template (Jinja), instead of the file's own. */
  readonly chatTemplate?: string | undefined;
}

/** What `createLlamaEmbedding` takes. `contextSize` bounds the tokens of an input. */
export type LlamaEmbeddingOptions = Omit<LlamaEngineOptions, 'sequences' | 'chatTemplate'>;

/** Options with nothing left open, but what the model says. */
export interface FullOptions {
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

const names = [
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

/** The one door for options. */
export function fullOptions(options: LlamaEngineOptions): FullOptions {
  const known: readonly string[] = names;
  for (const name of Object.keys(options)) {
    check(known.includes(name), `createLlama knows no '${name}'; it takes ${names.join(', ')}`);
  }
  const { path, owned_by = 'local', contextSize, gpu = 'auto', chatTemplate } = options;
  check(typeof path === 'string' && path !== '', 'path must be the path of a GGUF file');
  const changed = lastChanged(path);
  const { id = basename(path).replace(/\.gguf$/i, ''), created = changed } = options;
  const { sequences = 4, threads = Math.max(1, availableParallelism() - 1) } = options;
  check(typeof id === 'string' && id !== '', 'id must be a string that is not empty');
  check(typeof owned_by === 'string' && owned_by !== '', 'owned_by must be a string that is not empty');
  check(isWhole(created, 0), 'created must be an integer number of seconds');
  check(contextSize === undefined || isWhole(contextSize, 64), 'contextSize must be an integer of at least 64');
  check(isWhole(sequences, 1) && sequences <= 256, 'sequences must be an integer from 1 to 256');
  check(isWhole(threads, 1), 'threads must be an integer of at least 1');
  check(gpus.includes(gpu), `gpu must be one of ${gpus.join(', ')}`);
  check(chatTemplate === undefined || typeof chatTemplate === 'string', 'chatTemplate must be a string');
  return Object.freeze({ path, id, owned_by, created, contextSize, sequences, threads, gpu, chatTemplate });
}

/** The options of an embedding model. @throws LlamaSetupError that names the option. */
export function embeddingOptions(options: LlamaEmbeddingOptions): FullOptions {
  for (const name of ['sequences', 'chatTemplate'])
    check(!(name in options), `createLlamaEmbedding does not take '${name}'`);
  return fullOptions(options);
}

function lastChanged(path: string): number {
  try {
    const file = statSync(path);
    if (file.isFile()) return Math.floor(file.mtimeMs / 1000);
  } catch {
    // Said below.
  }
  throw new LlamaSetupError(`path: there is no file at '${path}'`);
}

function isWhole(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new LlamaSetupError(message);
}
