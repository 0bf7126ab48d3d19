import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../config/schema.ts';
import { migrate } from './migrate-command.ts';

function migrated(text: string): string {
  const path = join(temporaryFolder(), 'config.yaml');
  writeFileSync(path, text);
  return migrate(path);
}

/** The configuration, after the server has checked it. */
function configOf(text: string) {
  return configSchema.parse(parse(migrated(text)));
}

test('Deployments of a name become one model with several upstreams, and fallbacks become upstreams of it', () => {
  const config = configOf(`
model_list:
  - model_name: llama
    litellm_params: { model: hosted_vllm/meta-llama/Llama, api_base: 'http://gpu-1:8000/v1', api_key: os.environ/KEY, weight: 2 }
  - model_name: llama
    litellm_params: { model: hosted_vllm/meta-llama/Llama, api_base: 'http://gpu-2:8000/v1', api_key: os.environ/KEY }
  - model_name: small
    litellm_params: { model: 'ollama_chat/llama3.2:3b', api_base: 'http://127.0.0.1:11434' }
  - model_name: tiny
    litellm_params: { model: 'ollama_chat/llama3.2:1b', api_base: 'http://127.0.0.1:11434' }
router_settings: { routing_strategy: least-busy, allowed_fails: 3, cooldown_time: 30, model_group_alias: { gpt-4o: llama } }
litellm_settings: { fallbacks: [{ llama: [small] }] }
`);
  expect(config).toEqual({
    upstreams: [
      { name: 'hosted_vllm', preset: 'vllm', baseURL: 'http://gpu-1:8000/v1', apiKeyEnv: 'KEY', weight: 2 },
      { name: 'hosted_vllm-2', preset: 'vllm', baseURL: 'http://gpu-2:8000/v1', apiKeyEnv: 'KEY' },
      { name: 'ollama_chat', preset: 'ollama', baseURL: 'http://127.0.0.1:11434/v1' },
    ],
    models: {
      llama: {
        upstreamModel: {
          hosted_vllm: 'meta-llama/Llama',
          'hosted_vllm-2': 'meta-llama/Llama',
          ollama_chat: 'llama3.2:3b',
        },
        upstreams: ['hosted_vllm', 'hosted_vllm-2'],
        fallback: ['ollama_chat'],
        routing: 'least-loaded',
      },
      small: { upstreamModel: { ollama_chat: 'llama3.2:3b' }, upstreams: ['ollama_chat'], routing: 'least-loaded' },
      tiny: { upstreamModel: { ollama_chat: 'llama3.2:1b' }, upstreams: ['ollama_chat'], routing: 'least-loaded' },
      'gpt-4o': { model: 'llama' },
    },
    circuitBreaker: { failures: 3, cooldownMs: 30_000 },
  });
});

test('Hosted APIs become providers, and costs of a token become prices of a million', () => {
  const config = configOf(`
model_list:
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: os.environ/ANTHROPIC_API_KEY, input_cost_per_token: 0.000003, output_cost_per_token: 0.000015 }
  - model_name: haiku
    litellm_params: { model: anthropic/claude-haiku-4-5, api_key: os.environ/ANTHROPIC_API_KEY }
  - model_name: gpt
    litellm_params: { model: gpt-4o, api_key: sk-1 }
`);
  expect(config).toEqual({
    upstreams: [{ name: 'openai', preset: 'hosted', baseURL: 'https://api.openai.com/v1', apiKey: 'sk-1' }],
    models: { gpt: { upstreamModel: { openai: 'gpt-4o' }, upstreams: ['openai'] } },
    providers: [
      {
        package: '@ai-sdk/anthropic',
        apiKeyEnv: 'ANTHROPIC_API_KEY',
        models: [
          { model: 'claude-sonnet-4-5', id: 'claude' },
          { model: 'claude-haiku-4-5', id: 'haiku' },
        ],
      },
    ],
    prices: { models: { claude: { input: 3, output: 15 } } },
  });
});

test('Comments name what has no counterpart', () => {
  const text = migrated(`
model_list:
  - model_name: '*'
    litellm_params: { model: openai/*, rpm: 10 }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4-5 }
litellm_settings: { drop_params: true, cache: true, fallbacks: [{ claude: [other] }] }
general_settings: { master_key: sk-1 }
include: [models.yaml]
`);
  expect(text.split('\n').filter((line) => line.startsWith('# - '))).toEqual([
    '# - litellm_params.rpm: not translated.',
    '# - litellm_settings.drop_params: a parameter that a model lacks is emulated, or a 400 that names it.',
    '# - litellm_settings.cache: not translated.',
    '# - general_settings.master_key: create a key with `modelwire-server keys create --role admin`.',
    '# - include: not translated.',
    '# - model_list: * (openai/*): add an upstream or a provider for it; one without `models` serves all of its models.',
    '# - fallbacks: claude to other: fallbacks are upstreams of the same model.',
  ]);
});

test('A file of something else is an error that names the field', () => {
  expect(() => migrated('model_list: [{ litellm_params: { model: gpt-4o } }]')).toThrow(
    /config\.yaml is not a configuration of LiteLLM: .*model_name/,
  );
  expect(() => migrated('a: [')).toThrow(/^Cannot read .*config\.yaml: /);
});
