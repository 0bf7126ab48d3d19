import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../config/schema.ts';
import { migrate } from './migrate-command.ts';

function migrated(text: string, ...args: string[]): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.yaml'), text);
  return migrate(['config.yaml', ...args], folder);
}

/** The configuration, after the server has checked it. */
async function configOf(text: string, ...args: string[]) {
  return configSchema.parse(parse(await migrated(text, ...args)));
}

function notesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('# - '));
}

test('Deployments of a name become one model with several upstreams, and fallbacks become upstreams of it', async () => {
  const config = await configOf(`
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

test('Hosted APIs become providers, and costs of a token become prices of a million', async () => {
  const config = await configOf(`
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

test('A hosted API that is OpenAI-compatible becomes an upstream in both, and an own address is kept', async () => {
  const upstream = { name: 'groq', baseURL: 'https://api.groq.com/openai/v1', apiKey: 'k' };
  const groq = await configOf('model_list: [{ model_name: llama, litellm_params: { model: groq/llama, api_key: k } }]');
  expect(groq.upstreams).toEqual([upstream]);
  expect((await configOf('{ provider: groq, api_key: k }', '--model', 'llama')).upstreams).toEqual([upstream]);
  const deepseek = "{ model: deepseek/chat, api_base: 'https://api.deepseek.com/beta' }";
  const beta = await configOf(`model_list: [{ model_name: d, litellm_params: ${deepseek} }]`);
  expect(beta.upstreams).toMatchObject([{ baseURL: 'https://api.deepseek.com/beta' }]);
  const gemini = "{ model: gemini/pro, api_base: 'https://proxy' }";
  expect(notesOf(await migrated(`model_list: [{ model_name: g, litellm_params: ${gemini} }]`))).toEqual([
    '# - model_list: g: api_base: set options.baseURL of @ai-sdk/google, if it needs it.',
  ]);
  const azure = await configOf(
    "model_list: [{ model_name: gpt, litellm_params: { model: azure/gpt, api_base: 'https://shop.openai.azure.com/' } }]",
  );
  const atAzure = { preset: 'hosted', baseURL: 'https://shop.openai.azure.com/openai/v1' };
  expect(azure.upstreams).toMatchObject([atAzure]);
  const { upstreams } = await configOf('{ provider: azure-openai, resource_name: shop }', '--model', 'gpt');
  expect(upstreams).toMatchObject([atAzure]);
  const { providers } = await configOf(
    "model_list: [{ model_name: c, litellm_params: { model: anthropic/c, api_base: 'https://proxy' } }]",
  );
  expect(providers).toEqual([
    { package: '@ai-sdk/anthropic', options: { baseURL: 'https://proxy/v1' }, models: [{ model: 'c', id: 'c' }] },
  ]);
});

test('Comments name what has no counterpart', async () => {
  const text = await migrated(`
model_list:
  - model_name: '*'
    litellm_params: { model: openai/*, rpm: 10 }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4-5 }
litellm_settings: { drop_params: true, cache: true, fallbacks: [{ claude: [other] }] }
general_settings: { master_key: sk-1 }
include: [models.yaml]
`);
  expect(notesOf(text)).toEqual([
    '# - litellm_params.rpm: has no counterpart.',
    '# - litellm_settings.drop_params: a parameter that a model lacks is emulated, or a 400 that names it.',
    '# - litellm_settings.cache: has no counterpart.',
    '# - general_settings.master_key: create a key with `modelwire-server keys create --role admin`.',
    '# - include: has no counterpart.',
    '# - model_list: * (openai/*): add an upstream or a provider for it; one without `models` serves all of its models.',
    '# - fallbacks: claude to other: fallbacks are upstreams of the same model.',
  ]);
});

test('A wrong file is an error that names the line, the field and the right form', async () => {
  await expect(migrated('model_list:\n  - litellm_params: { model: gpt-4o }')).rejects.toThrow(
    /config\.yaml is not a configuration of LiteLLM:\n {2}line 2: .*model_name/,
  );
  await expect(migrated('a: [')).rejects.toThrow(/^Cannot read .*config\.yaml: /);
  await expect(migrated('a: 1')).rejects.toThrow(
    'is neither a configuration of LiteLLM (no model_list) nor one of Portkey (no provider',
  );
  await expect(migrated('strategy: { mode: fallback }')).rejects.toThrow(
    /is not a configuration of Portkey:\n {2}line 1: targets: a strategy needs targets/,
  );
  await expect(migrated('strategy: { mode: fall }\ntargets: [{ provider: openai }]')).rejects.toThrow(
    /line 1: Invalid value for 'strategy\.mode': 'fall'. Supported values are: 'single', 'loadbalance'/,
  );
  await expect(
    migrated('strategy: { mode: fallback }\ntargets:\n  - provider: openai\n  - { weight: 1 }'),
  ).rejects.toThrow('line 4: targets[1].provider: set provider, such as openai, or strategy and targets');
  await expect(
    migrated(
      'strategy:\n  mode: conditional\n  conditions: [{ query: { params.model: a }, then: b }]\ntargets: [{ name: c, provider: openai }]',
    ),
  ).rejects.toThrow("line 3: strategy.conditions[0].then: no target has the name 'b'");
  await expect(migrated('virtual_key: prod-1', '--model', 'gpt-4o')).rejects.toThrow(
    `virtual_key: 'prod-1' does not start with the name of its provider. Set the provider beside the key`,
  );
  await expect(
    migrated('strategy: { mode: fallback }\ntargets: [{ provider: openai }, { provider: groq }]'),
  ).rejects.toThrow('name each of them with --model, such as --model gpt-4o');
});

test('Strategies of Portkey become one model whose upstreams have weights and a fallback', async () => {
  const portkey = `{
  "strategy": { "mode": "fallback" },
  "request_timeout": 20000,
  "targets": [
    {
      "strategy": { "mode": "loadbalance" },
      "targets": [
        { "provider": "openai", "api_key": "sk-1", "weight": 0.7, "openai_organization": "org-1" },
        { "virtual_key": "openai-prod-2", "weight": 0.3 }
      ]
    },
    { "provider": "ollama", "custom_host": "http://127.0.0.1:11434", "override_params": { "model": "llama3.2:3b" } }
  ]
}`;
  const timeouts = { firstByte: 20_000 };
  const baseURL = 'https://api.openai.com/v1';
  const headers = { 'OpenAI-Organization': 'org-1' };
  expect(await configOf(portkey, '--model', 'gpt-4o')).toEqual({
    upstreams: [
      { name: 'openai', preset: 'hosted', baseURL, apiKey: 'sk-1', headers, weight: 0.7, timeouts },
      { name: 'openai-2', preset: 'hosted', baseURL, apiKeyEnv: 'OPENAI_PROD_2_KEY', weight: 0.3, timeouts },
      { name: 'ollama', preset: 'ollama', baseURL: 'http://127.0.0.1:11434/v1', timeouts },
    ],
    models: {
      'gpt-4o': {
        upstreamModel: { openai: 'gpt-4o', 'openai-2': 'gpt-4o', ollama: 'llama3.2:3b' },
        upstreams: ['openai', 'openai-2'],
        fallback: ['ollama'],
        routing: 'weighted',
      },
    },
  });
});

test('A weight of nested targets is divided among them', async () => {
  const config = await configOf(`
strategy: { mode: loadbalance }
override_params: { model: llama }
targets:
  - { provider: openai, custom_host: 'http://gpu-1/v1', weight: 2 }
  - weight: 2
    strategy: { mode: loadbalance }
    targets:
      - { provider: openai, custom_host: 'http://gpu-2/v1', weight: 3 }
      - { provider: openai, custom_host: 'http://gpu-3/v1' }
`);
  expect(config.upstreams?.map(({ weight }) => weight)).toEqual([2, 1.5, 0.5]);
  expect(config.models).toEqual({
    llama: { upstreams: ['openai', 'openai-2', 'openai-3'], routing: 'weighted' },
    // The config replaces the model that clients request.
    '*': { model: 'llama' },
  });
});

test('A fallback to another model of the same account is a second upstream', async () => {
  const config = await configOf(`
strategy: { mode: fallback }
targets:
  - { provider: '@openai-prod', override_params: { model: '@openai-prod/gpt-4o' } }
  - { provider: '@openai-prod', override_params: { model: '@openai-prod/gpt-4o-mini' } }
`);
  expect(config.upstreams?.map(({ name, apiKeyEnv }) => [name, apiKeyEnv])).toEqual([
    ['openai', 'OPENAI_PROD_KEY'],
    ['openai-2', 'OPENAI_PROD_KEY'],
  ]);
  expect(config.models).toEqual({
    'gpt-4o': {
      upstreamModel: { openai: 'gpt-4o', 'openai-2': 'gpt-4o-mini' },
      upstreams: ['openai'],
      fallback: ['openai-2'],
    },
    '*': { model: 'gpt-4o' },
  });
});

test('Conditions on the model become models, and the default serves all others', async () => {
  const text = await migrated(`
strategy:
  mode: conditional
  conditions:
    - { query: { params.model: { $in: [fast, faster] } }, then: small }
    - { query: { params.model: fast }, then: large }
    - { query: { metadata.plan: { $eq: paid } }, then: large }
  default: large
targets:
  - { name: small, provider: azure-openai, resource_name: acme, deployment_id: mini, api_key: k }
  - { name: large, provider: anthropic, api_key: sk-ant, override_params: { model: claude-sonnet-4-5 } }
`);
  const upstreamModel = { 'azure-openai': 'mini' };
  expect(configSchema.parse(parse(text))).toEqual({
    upstreams: [
      { name: 'azure-openai', preset: 'hosted', baseURL: 'https://acme.openai.azure.com/openai/v1', apiKey: 'k' },
    ],
    models: {
      fast: { upstreamModel, upstreams: ['azure-openai'] },
      faster: { upstreamModel, upstreams: ['azure-openai'] },
      '*': { model: 'claude-sonnet-4-5' },
    },
    providers: [
      {
        package: '@ai-sdk/anthropic',
        apiKey: 'sk-ant',
        models: [{ model: 'claude-sonnet-4-5', id: 'claude-sonnet-4-5' }],
      },
    ],
  });
  expect(notesOf(text)).toEqual([
    '# - strategy.conditions[2]: only the model can choose a target, not metadata.plan. Give large a model ID of its own, and let clients request it.',
  ]);
});

test('A condition wins over the default, also for an ID of the command and for the model of the default', async () => {
  const strategy = `
strategy: { mode: conditional, conditions: [{ query: { params.model: gpt-4o }, then: a }], default: b }
targets:
  - { name: a, provider: openai, api_key: k }`;
  const first = { upstreams: ['openai'] };
  expect(
    (await configOf(`${strategy}\n  - { name: b, provider: groq }`, '--model', 'gpt-4o', '--model', 'm')).models,
  ).toEqual({
    'gpt-4o': first,
    m: { upstreams: ['groq'] },
  });
  const overriding = `${strategy}\n  - { name: b, provider: groq, override_params: { model: gpt-4o } }`;
  expect((await configOf(overriding)).models).toEqual({
    'gpt-4o': first,
    b: { upstreamModel: { groq: 'gpt-4o' }, upstreams: ['groq'] },
    '*': { model: 'b' },
  });
});

test('A virtual key names its provider by whole words, or is an error', async () => {
  for (const [key, provider] of Object.entries({
    'open-ai-key': 'openai',
    azure: 'azure-openai',
    'mistral-1': 'mistral-ai',
  })) {
    const { upstreams } = await configOf(`{ virtual_key: ${key}, resource_name: r }`);
    expect(upstreams?.[0]?.name).toBe(provider);
  }
  for (const key of ['xerox-prod', 'openaire', 'x', 'groqqer-1'])
    await expect(migrated(`virtual_key: ${key}`)).rejects.toThrow('does not start with the name of its provider');
});

test('One provider without a model needs no entry for it, and its settings become options of the package', async () => {
  expect(await configOf('{ provider: groq, api_key: k }')).toEqual({
    upstreams: [{ name: 'groq', baseURL: 'https://api.groq.com/openai/v1', apiKey: 'k' }],
  });
  expect(await configOf('{ provider: bedrock, aws_region: eu-central-1 }', '--model', 'nova')).toEqual({
    providers: [
      {
        package: '@ai-sdk/amazon-bedrock',
        options: { region: 'eu-central-1' },
        models: [{ model: 'nova', id: 'nova' }],
      },
    ],
  });
});

test('Comments name the fields of Portkey without a counterpart, with the reason', async () => {
  const text = await migrated(
    `
strategy: { mode: fallback, on_status_codes: [429] }
cache: { mode: semantic }
retry: { attempts: 5 }
targets:
  - { provider: openai, api_key: k, forward_headers: [x-trace], input_guardrails: [pii], new_field: 1 }
  - { provider: anthropic, api_key: k, override_params: { model: claude, max_tokens: 100 } }
  - { provider: bedrock, aws_region: us-east-1 }
  - { strategy: { mode: loadbalance }, targets: [{ provider: groq, api_key: a }, { provider: groq, api_key: b }] }
`,
    '--model',
    'gpt-4o',
  );
  expect(notesOf(text)).toEqual([
    '# - cache: replies are not cached; with `routing: affinity`, upstreams can reuse their prompt caches.',
    '# - retry: a request is sent once to each of up to three upstreams of its model.',
    '# - strategy.on_status_codes: the kind of failure decides whether the next upstream is tried.',
    '# - targets[0].forward_headers: headers of clients are not forwarded; `headers` of the upstream are fixed ones.',
    '# - targets[0].input_guardrails: checks are not run; for moderation, set `moderate`.',
    '# - targets[0].new_field: has no counterpart.',
    '# - targets[1].override_params.max_tokens: parameters of clients are not overridden.',
    '# - config: targets that share requests in a fallback are tried in their order.',
    '# - targets[1]: its OpenAI-compatible API is used, because models with several targets are those of upstreams; @ai-sdk/anthropic in `providers` supports more.',
    '# - targets[2]: bedrock has no known OpenAI-compatible API: add an upstream with its base URL.',
  ]);
  const { models } = configSchema.parse(parse(text));
  expect(models?.['gpt-4o']).toMatchObject({ upstreams: ['openai'], fallback: ['anthropic', 'groq', 'groq-2'] });
});
