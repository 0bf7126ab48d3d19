import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeTinyModel } from '@modelwire/engine-llama/tiny-model';
import { afterAll, describe, expect, test } from 'vitest';
import { clientOf } from '../testing/test-server.ts';
import { startProcess } from '../testing/process.ts';

// Vulkan in software, by the driver of Debian's package mesa-vulkan-drivers. A checkout has no GPU builds of node-llama-cpp: the test runs if
// `npm pack @node-llama-cpp/linux-x64-vulkan` is unpacked beside the builds that it has.
const driver = '/usr/share/vulkan/icd.d/lvp_icd.x86_64.json';
const engine = createRequire(import.meta.url).resolve('@modelwire/engine-llama');
const binding = createRequire(engine).resolve('node-llama-cpp');
const build = join(dirname(binding), '../../@node-llama-cpp/linux-x64-vulkan');
const missing = [driver, build].filter((path) => !existsSync(path));

const folder = mkdtempSync(join(tmpdir(), 'modelwire-vulkan-'));
afterAll(() => rmSync(folder, { recursive: true }));

const software = { VK_DRIVER_FILES: driver, GGML_VK_VISIBLE_DEVICES: '0' };

async function startWith(gguf: readonly object[], devices: Readonly<Record<string, string>> = software) {
  const path = join(folder, 'tiny.gguf');
  if (!existsSync(path)) await writeTinyModel(path);
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ simulator: false, gguf: gguf.map((entry) => ({ path, ...entry })) }));
  const data = mkdtempSync(join(folder, 'data-'));
  const env = { MODELWIRE_CONFIG: config, MODELWIRE_DATA: data, MODELWIRE_LOG_LEVEL: 'info' };
  return startProcess(folder, { ...env, ...devices });
}

const messages = [{ role: 'user' as const, content: 'Tell me about rivers.' }];
const schema = {
  type: 'object',
  properties: { length: { type: 'integer', minimum: 1, maximum: 9999 }, kind: { enum: ['wide', 'narrow'] } },
  required: ['length', 'kind'],
  additionalProperties: false,
};

/** The processor compiles a shader for each number of tokens that it has not seen. */
const timeout = 300_000;

describe.skipIf(missing.length > 0)(
  `a GGUF model on Vulkan${missing.map((path) => `, without ${path}`).join('')}`,
  () => {
    test('runs there with all layers, like on the CPU', { timeout }, async () => {
      const sizes = { contextSize: 512, sequences: 2 };
      const server = await startWith([
        { id: 'gpu', gpu: 'vulkan', ...sizes },
        { id: 'cpu', gpu: false, ...sizes },
      ]);
      const client = clientOf(server.url);
      const { runtime } = await client.get<{ runtime: object }>('/capabilities/gpu');
      expect(runtime).toMatchObject({ backend: 'vulkan', gpu_layers: 2, layers: 2, context_size: 512, sequences: 2 });
      expect(server.log()).toMatch(/"model":"gpu","backend":"vulkan".*"loaded a GGUF model"/);

      const response_format = { type: 'json_schema' as const, json_schema: { name: 'river', strict: true, schema } };
      const { choices } = await client.chat.completions.create({ model: 'gpu', messages, seed: 1, response_format });
      expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({
        length: expect.any(Number) as number,
        kind: expect.stringMatching(/^(wide|narrow)$/) as string,
      });

      const stream = await client.chat.completions.create({ model: 'gpu', messages, stream: true });
      for await (const { choices } of stream) if (choices[0]?.delta.content) break;
      stream.controller.abort();
      const next = await client.chat.completions.create({ model: 'gpu', messages, max_tokens: 4 });
      expect(next.usage?.completion_tokens).toBe(4);
      const onCpu = await client.chat.completions.create({ model: 'cpu', messages, max_tokens: 4 });
      expect(next.system_fingerprint).not.toBe(onCpu.system_fingerprint);

      const scored = async (model: string): Promise<readonly (number | null)[]> => {
        const prompt = 'The river runs to the sea. A boat goes down the river in the rain.';
        const { choices } = await client.completions.create({ model, prompt, echo: true, logprobs: 1, max_tokens: 0 });
        return choices[0]?.logprobs?.token_logprobs?.slice(1) ?? [];
      };
      const [gpu, cpu] = [await scored('gpu'), await scored('cpu')];
      expect(gpu).toHaveLength(cpu.length);
      for (const [at, logprob] of gpu.entries()) expect(Math.abs(logprob! - cpu[at]!)).toBeLessThan(0.05);
    });

    test('a context that the device cannot hold is refused with sizes that fit', { timeout }, async () => {
      const starting = startWith([{ id: 'gpu', gpu: 'vulkan', contextSize: 8192, sequences: 200 }]);
      await expect(starting).rejects.toThrow(/What fits: contextSize \d+ with 200 sequences/);
    });

    test('without a driver, an explicit GPU is an error and `auto` a warning', { timeout }, async () => {
      const withoutDriver = { VK_DRIVER_FILES: join(folder, 'none.json') };
      const reason = 'no Vulkan driver reports a GPU';
      const sizes = { contextSize: 512, sequences: 1 };
      await expect(startWith([{ gpu: 'vulkan', ...sizes }], withoutDriver)).rejects.toThrow(reason);
      const server = await startWith([sizes], withoutDriver);
      expect(server.log()).toContain(`gguf: the model runs on the CPU. vulkan: ${reason}`);
    });
  },
);
