import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { explainUnusedBackend, isBuildInstalled, thisSystem } from './gpu-build.ts';
import type { BuildTarget } from './gpu-build.ts';
import { placementWarning } from './runtime.ts';

const linux = { platform: 'linux', arch: 'x64', packages: '/nowhere' } as const;

/** A folder with the package of a build whose library is not one. */
async function withBuild(name: string, library: string): Promise<BuildTarget> {
  const packages = await mkdtemp(join(tmpdir(), 'modelwire-builds-'));
  onTestFinished(() => rm(packages, { recursive: true }));
  await mkdir(join(packages, name, 'bins', name), { recursive: true });
  await writeFile(join(packages, name, 'bins', name, library), 'text');
  return { ...linux, packages };
}

test('names the systems that have a build', () => {
  const arm = { ...linux, arch: 'arm64' };
  expect(explainUnusedBackend('cuda', arm)).toBe(
    'node-llama-cpp has no build for linux-arm64-cuda, but for linux-x64 and win-x64',
  );
  expect(explainUnusedBackend('metal', linux)).toContain('but for mac-arm64');
});

test('names the package that is not installed', () => {
  expect(isBuildInstalled('vulkan', linux)).toBe(false);
  expect(explainUnusedBackend('vulkan', linux)).toContain('@node-llama-cpp/linux-x64-vulkan is not installed');
});

test('has the message of the dynamic loader', async () => {
  const target = await withBuild('linux-x64-cuda', 'libggml-cuda.so');
  expect(isBuildInstalled('cuda', target)).toBe(true);
  expect(explainUnusedBackend('cuda', { ...target, platform: process.platform })).toMatch(
    /@node-llama-cpp\/\w+-x64-cuda (cannot be loaded: .+|is not installed)/,
  );
});

test('names what to install for a library that is not found', async () => {
  const target = await withBuild('linux-x64-cuda', 'libcudart.so.13');
  expect(explainUnusedBackend('cuda', target)).toContain('libggml-cuda.so');
});

test('finds the packages beside node-llama-cpp', () => {
  expect(thisSystem().packages).toMatch(/@node-llama-cpp$/);
});

test('a warning says why `auto` uses the GPU partly or not at all', async () => {
  const auto = { gpu: 'auto', gpuLayers: 'auto' } as const;
  const sizes = { gpu_memory_bytes: 1, memory_bytes: 1, context_size: 4096, sequences: 8 };
  const partly = { ...sizes, backend: 'vulkan', device: 'a GPU', gpu_layers: 23, layers: 31 };
  const onCpu = { ...partly, backend: 'cpu', device: null, gpu_layers: 0 };
  expect(placementWarning(auto, partly)).toContain(
    'only 23 of 31 layers fit on the GPU beside the context of 8 x 4096',
  );
  expect(placementWarning(auto, { ...partly, gpu_layers: 31 })).toBeUndefined();
  expect(placementWarning({ ...auto, gpuLayers: 23 }, partly)).toBeUndefined();
  const target = await withBuild('linux-x64-cuda', 'libcudart.so.13');
  expect(placementWarning(auto, onCpu, target)).toContain('the model runs on the CPU. cuda: @node-llama-cpp/linux-x64');
  expect(placementWarning({ ...auto, gpu: false }, onCpu, target)).toBeUndefined();
});
