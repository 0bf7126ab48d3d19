/** Providers with an OpenAI-compatible API, by the environment variable in which their own clients expect the key. */
export const hostedProviders: Readonly<Record<string, { readonly name: string; readonly baseURL: string }>> = {
  OPENAI_API_KEY: { name: 'openai', baseURL: 'https://api.openai.com/v1' },
  OPENROUTER_API_KEY: { name: 'openrouter', baseURL: 'https://openrouter.ai/api/v1' },
  GROQ_API_KEY: { name: 'groq', baseURL: 'https://api.groq.com/openai/v1' },
  MISTRAL_API_KEY: { name: 'mistral', baseURL: 'https://api.mistral.ai/v1' },
  DEEPSEEK_API_KEY: { name: 'deepseek', baseURL: 'https://api.deepseek.com/v1' },
  TOGETHER_API_KEY: { name: 'together', baseURL: 'https://api.together.xyz/v1' },
  FIREWORKS_API_KEY: { name: 'fireworks', baseURL: 'https://api.fireworks.ai/inference/v1' },
  CEREBRAS_API_KEY: { name: 'cerebras', baseURL: 'https://api.cerebras.ai/v1' },
  XAI_API_KEY: { name: 'xai', baseURL: 'https://api.x.ai/v1' },
  GEMINI_API_KEY: { name: 'gemini', baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai' },
};
