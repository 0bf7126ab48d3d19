import { createRunningOperations } from '@modelwire/adapter-kit';
import { invalid } from '@modelwire/ports';
import type { EmbeddingEngine, EmbeddingModel } from '@modelwire/ports';
import type { LlamaEmbeddingContext } from 'node-llama-cpp';
import { embeddingOptions } from './options.ts';
import type { ResolvedOptions, LlamaEmbeddingOptions } from './options.ts';
import { describeRuntime, placementWarning } from './backend/runtime.ts';
import { serveModel } from './serve-model.ts';
import type { LoadedModel } from './serve-model.ts';
import { withSetupErrors } from './setup-error.ts';

/** An embedding engine whose model runs in this process. */
export interface LlamaEmbeddingEngine extends EmbeddingEngine {
  /** The size of the context in tokens. An input can have one less. */
  readonly contextSize: number;
  /** Why the GPU is used partly or not at all, although `gpu` is `auto`; undefined without a GPU. */
  readonly warning: string | undefined;
  close(): Promise<void>;
}

const defaultContextSize = 4096;

/**
 * Loads a GGUF file and serves its embeddings, normalized to length 1. Inputs must be texts, which are embedded one after the other. Requires
 * the optional package node-llama-cpp.
 *
 * @throws LlamaSetupError without that package, for invalid options, and for a file that is not a supported model.
 */
export async function createLlamaEmbedding(options: LlamaEmbeddingOptions): Promise<LlamaEmbeddingEngine> {
  const resolved = embeddingOptions(options);
  const { contextSize = defaultContextSize } = resolved;
  // An encoder evaluates an input in one batch.
  const sizes = { contextSize, sequences: 1, batchSize: contextSize };
  return serveModel({ ...resolved, ...sizes }, (loaded) => serve(loaded, resolved));
}

async function serve(
  { model, llama, placement }: LoadedModel,
  options: ResolvedOptions,
): Promise<LlamaEmbeddingEngine> {
  const { id, created, owned_by, threads } = options;
  const contextSize = options.contextSize ?? Math.min(defaultContextSize, model.trainContextSize);
  const context = await withSetupErrors(options, () =>
    model.createEmbeddingContext({ contextSize, batchSize: contextSize, threads, ignoreMemorySafetyChecks: true }),
  );
  // The first evaluation reads the file, and compiles what a GPU runs.
  await context.getEmbeddingFor('warm');
  const runtime = await describeRuntime({ llama, model, placement: { ...placement, contextSize } });
  const embeddingModel: EmbeddingModel = Object.freeze({
    ...{ id, created, owned_by, runtime },
    size: model.embeddingVectorSize,
    dimensions: 'emulated',
    tokens: 'refused',
  });
  const models = Object.freeze([embeddingModel]);
  const running = createRunningOperations();

  async function embedAll(inputs: readonly string[], signal: AbortSignal) {
    const lengths = inputs.map((input, index) => validateLength(input, index, inputs.length, context, contextSize));
    const embeddings: Float32Array[] = [];
    for (const input of inputs) {
      signal.throwIfAborted();
      const { vector } = await context.getEmbeddingFor(input);
      embeddings.push(normalize(vector));
    }
    return { embeddings, promptTokens: lengths.reduce((sum, length) => sum + length, 0) };
  }
  return {
    name: 'llama-embedding',
    contextSize,
    warning: placementWarning(options, runtime),
    models: () => models,
    concurrency: 1,
    async embed({ inputs }, { signal }) {
      const texts = inputs.map((input) => {
        if (typeof input === 'string') return input;
        throw invalid('input', 'Token IDs are not supported with this model: send text.', 'unsupported_value');
      });
      return running.track(embedAll(texts, signal));
    },
    async close() {
      await running.ended();
      await context.dispose();
      await model.dispose();
    },
  };
}

/** Returns the number of tokens of an input. @throws a 400 that names the input if it exceeds the context. */
function validateLength(
  input: string,
  index: number,
  count: number,
  context: LlamaEmbeddingContext,
  contextSize: number,
): number {
  const length = context.calculateInputLength(input);
  if (length < contextSize) return length;
  const param = count === 1 ? 'input' : `input[${index}]`;
  throw invalid(
    param,
    `Invalid '${param}': the model accepts at most ${contextSize - 1} tokens, but the text has ${length}.`,
    'context_length_exceeded',
  );
}

function normalize(vector: readonly number[]): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0 && length < Infinity)) throw new Error('the model computed no embedding');
  return Float32Array.from(vector, (value) => value / length);
}
