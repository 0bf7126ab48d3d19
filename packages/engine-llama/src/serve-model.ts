import type { LlamaModel } from 'node-llama-cpp';
import { loadBinding, openLlama } from './binding.ts';
import type { Binding } from './binding.ts';
import { checkGgufHeader } from './gguf-header.ts';
import type { ResolvedOptions } from './options.ts';
import { withSetupErrors } from './setup-error.ts';

/** Loads a model file and returns the engine that `serve` creates. Disposes the model if `serve` rejects. */
export async function serveModel<Engine>(
  options: ResolvedOptions,
  serve: (model: LlamaModel, options: ResolvedOptions, binding: Binding) => Promise<Engine>,
): Promise<Engine> {
  await withSetupErrors(options, () => checkGgufHeader(options.path));
  const binding = await loadBinding();
  const llama = await openLlama(binding, options.gpu);
  const model = await withSetupErrors(options, () => llama.loadModel({ modelPath: options.path }));
  try {
    return await serve(model, options, binding);
  } catch (error) {
    await model.dispose();
    throw error;
  }
}
