import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A GPU backend with its own build of llama.cpp. */
export type GpuBackend = 'cuda' | 'vulkan' | 'metal';

/** The system that builds are for; the one of this process by default. */
export interface BuildTarget {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The folder of the packages of node-llama-cpp. */
  readonly packages: string;
}

/** The systems that node-llama-cpp has a build for, as in the names of its packages. */
const targets: Readonly<Record<GpuBackend, readonly string[]>> = {
  cuda: ['linux-x64', 'win-x64'],
  vulkan: ['linux-x64', 'win-x64'],
  metal: ['mac-arm64'],
};

const platformNames: Partial<Record<NodeJS.Platform, string>> = { darwin: 'mac', win32: 'win' };

/** What the operator installs for a library that the dynamic loader does not find. */
const fixes: readonly (readonly [library: RegExp, fix: string])[] = [
  [/libcuda\.so|nvcuda/, 'Install the NVIDIA driver; in a container, pass the GPU to it (docker run --gpus all).'],
  [
    /libcudart|libcublas|cudart64|cublas64/,
    'Install the CUDA 13 runtime (cudart and cublas), or add its folder to LD_LIBRARY_PATH.',
  ],
  [/libvulkan|vulkan-1/, 'Install the Vulkan loader (Debian and Ubuntu: libvulkan1) and the driver of the GPU.'],
];

const noDevice: Readonly<Record<GpuBackend, string>> = {
  cuda: 'the NVIDIA driver reports no GPU: check nvidia-smi, CUDA_VISIBLE_DEVICES, and whether the container has access to it',
  vulkan:
    'no Vulkan driver reports a GPU: check vulkaninfo --summary, GGML_VK_VISIBLE_DEVICES, and /dev/dri in the container',
  metal: 'macOS reports no GPU',
};

export function thisSystem(): BuildTarget {
  const binding = createRequire(import.meta.url).resolve('node-llama-cpp');
  const packages = join(dirname(binding), '..', '..', '@node-llama-cpp');
  return { platform: process.platform, arch: process.arch, packages };
}

function buildName(backend: GpuBackend, { platform, arch }: BuildTarget): string {
  return `${platformNames[platform] ?? platform}-${arch}-${backend}`;
}

/** Whether the build for a backend is installed. */
export function isBuildInstalled(backend: GpuBackend, target = thisSystem()): boolean {
  return existsSync(join(target.packages, buildName(backend, target)));
}

/** Why a GPU backend is not used on this system, and what to do. */
export function explainUnusedBackend(backend: GpuBackend, target = thisSystem()): string {
  const name = buildName(backend, target);
  if (!targets[backend].some((system) => name.startsWith(system))) {
    return `node-llama-cpp has no build for ${name}, but for ${targets[backend].join(' and ')}`;
  }
  if (!isBuildInstalled(backend, target)) {
    return `the package @node-llama-cpp/${name} is not installed. Install it: npm install node-llama-cpp (without --omit=optional)`;
  }
  const problem = loaderProblem(backend, join(target.packages, name, 'bins', name), target);
  if (problem === undefined) return noDevice[backend];
  const fix = fixes.find(([library]) => library.test(problem))?.[1];
  return [`@node-llama-cpp/${name} cannot be loaded: ${problem}`, fix].filter((part) => part !== undefined).join('. ');
}

/** The message of the dynamic loader for the library of a backend; undefined if it can be loaded. */
function loaderProblem(backend: GpuBackend, folder: string, { platform }: BuildTarget): string | undefined {
  const file = platform === 'win32' ? `ggml-${backend}.dll` : `libggml-${backend}.so`;
  try {
    process.dlopen({ exports: {} }, join(folder, file));
    return undefined;
  } catch (error) {
    const [message = ''] = error instanceof Error ? error.message.split('\n') : [];
    // It was loaded: it is a library and not an addon.
    return message.includes('did not self-register') ? undefined : message;
  }
}
