import type { Llama, LlamaModel } from 'node-llama-cpp';
import { loadBinding, openLlama } from './backend/binding.ts';
import type { Binding } from './backend/binding.ts';
import { planPlacement } from './backend/placement.ts';
import type { Placement } from './backend/placement.ts';
import { checkGgufHeader } from './gguf-header.ts';
import { withDeviceDefaults } from './options.ts';
import type { DeviceOptions, ResolvedOptions } from './options.ts';
import { withSetupErrors } from './setup-error.ts';

/** A model in memory. */
export interface LoadedModel {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly placement: Placement;
  readonly binding: Binding;
}

/** Loads a model file and returns the engine that `serve` creates. Disposes the model if `serve` rejects. */
export async function serveModel<Engine>(
  resolved: ResolvedOptions,
  serve: (loaded: LoadedModel, options: DeviceOptions) => Promise<Engine>,
): Promise<Engine> {
  await withSetupErrors(resolved, () => checkGgufHeader(resolved.path));
  const binding = await loadBinding();
  const llama = await openLlama(binding, resolved.gpu);
  const options = withDeviceDefaults(resolved, llama.gpu !== false);
  const placement = await withSetupErrors(options, () => place(llama, binding, options));
  const model = await withSetupErrors(options, () =>
    llama.loadModel({
      modelPath: options.path,
      gpuLayers: placement.gpuLayers,
      // It has been checked, with the context of all sequences.
      ignoreMemorySafetyChecks: true,
    }),
  );
  try {
    return await serve({ llama, model, placement, binding }, options);
  } catch (error) {
    await model.dispose();
    throw error;
  }
}

async function place(llama: Llama, binding: Binding, options: DeviceOptions): Promise<Placement> {
  const file = await binding.readGgufFileInfo(options.path, { sourceType: 'filesystem', logWarnings: false });
  return planPlacement(binding, llama, await binding.GgufInsights.from(file, llama), options);
}
