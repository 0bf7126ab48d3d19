import { LlamaSetupError } from '../setup-error.ts';
import type { LlamaGpu } from '../options.ts';
import type * as NodeLlamaCpp from 'node-llama-cpp';
import { explainUnusedBackend } from './gpu-build.ts';

export type Binding = typeof NodeLlamaCpp;

const installInstructions = `npm install node-llama-cpp (with GPU builds), or, without GPU builds on x64 Linux: npm install --omit=optional node-llama-cpp @node-llama-cpp/linux-x64`;

/** Loads node-llama-cpp. It is an optional peer dependency because it is 725 MB with its GPU builds, and few users need it. */
export async function loadBinding(load: () => Promise<Binding> = () => import('node-llama-cpp')): Promise<Binding> {
  // node-llama-cpp, also in the processes that it starts, refuses a CI that is not a boolean, such as '' or the name of a CI system.
  const ci = process.env['CI'];
  if (ci !== undefined) process.env['CI'] = String(!['', '0', 'false'].includes(ci));
  try {
    return await load();
  } catch (cause) {
    throw new LlamaSetupError(
      `GGUF models require the package node-llama-cpp, which is not installed or cannot be loaded. Install it: ${installInstructions}. ${reasonOf(cause)}`,
      { cause },
    );
  }
}

function reasonOf(cause: unknown): string {
  const [message = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  return `The reason: ${message}`;
}

const backends = new Map<LlamaGpu, Promise<NodeLlamaCpp.Llama>>();

/**
 * Returns the llama.cpp backend, which all models of the process share. It is never closed; its models are.
 * @throws LlamaSetupError if the given GPU backend cannot be used, with the reason.
 */
export async function openLlama(binding: Binding, gpu: LlamaGpu): Promise<NodeLlamaCpp.Llama> {
  const llama = backends.get(gpu) ?? loadLlama(binding, gpu);
  backends.set(gpu, llama);
  try {
    return await llama;
  } catch (error) {
    backends.delete(gpu);
    throw error;
  }
}

/** Loads a prebuilt binary: nothing is compiled or downloaded at startup. */
async function loadLlama(binding: Binding, gpu: LlamaGpu): Promise<NodeLlamaCpp.Llama> {
  // node-llama-cpp treats it like `auto` elsewhere.
  if (gpu === 'metal' && process.platform !== 'darwin') {
    throw new LlamaSetupError('gpu: metal is only available on macOS; here it is auto, cuda, vulkan or false');
  }
  const isExplicit = gpu !== 'auto' && gpu !== false;
  const load = async (): Promise<NodeLlamaCpp.Llama> => {
    try {
      return await binding.getLlama({
        gpu,
        build: 'never',
        skipDownload: true,
        progressLogs: false,
        // Errors of llama.cpp are thrown, so that its log is not needed.
        logLevel: binding.LlamaLogLevel.disabled,
      });
    } catch (cause) {
      const message = isExplicit
        ? unusedMessage(gpu)
        : `node-llama-cpp has no prebuilt binary for this system. Install its optional packages: ${installInstructions}. ${reasonOf(cause)}`;
      throw new LlamaSetupError(message, { cause });
    }
  };
  const llama = await load();
  if (isExplicit && (llama.gpu !== gpu || (await llama.getGpuDeviceNames()).length === 0)) {
    throw new LlamaSetupError(unusedMessage(gpu));
  }
  return llama;
}

function unusedMessage(gpu: Exclude<LlamaGpu, 'auto' | false>): string {
  return `gpu: ${gpu} cannot be used: ${explainUnusedBackend(gpu)}`;
}
