import type { LlamaModel } from 'node-llama-cpp';
import { loadBinding, openLlama } from './binding.ts';
import type { Binding } from './binding.ts';
import { checkHeader } from './header.ts';
import type { ResolvedOptions } from './options.ts';
import { orSetupError } from './setup-error.ts';

/** Loads the file and returns the engine that `serve` creates. Disposes of the model if `serve` rejects. */
export async function serveModel<Engine>(
  options: ResolvedOptions,
  serve: (model: LlamaModel, options: ResolvedOptions, binding: Binding) => Promise<Engine>,
): Promise<Engine> {
  await orSetupError(options, () => checkHeader(options.path));
  const binding = await loadBinding();
  const llama = await openLlama(binding, options.gpu);
  const model = await orSetupError(options, () => llama.loadModel({ modelPath: options.path }));
  try {
    return await serve(model, options, binding);
  } catch (error) {
    await model.dispose();
    throw error;
  }
}
