import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { afterAll } from 'vitest';
import { startProviderServer } from './provider-server.ts';
import type { ProviderServer } from './provider-server.ts';
import { serveAiSdk } from './serve.ts';
import type { ServedEngine } from './serve.ts';

export interface ServedProviders {
  readonly provider: ProviderServer;
  readonly anthropic: ServedEngine;
  readonly gemini: ServedEngine;
}

/** The models `claude` and `gemini` of one simulated provider, each behind a server, for all tests of a file. */
export async function serveProviders({
  apiKey = 'sk-secret-key',
  geminiModel = 'gemini-2.5-flash',
} = {}): Promise<ServedProviders> {
  const provider = await startProviderServer();
  const claude = createAnthropic({ baseURL: `${provider.url}/v1`, apiKey })('claude-sonnet-4-5');
  const google = createGoogle({ baseURL: `${provider.url}/v1beta`, apiKey })(geminiModel);
  const anthropic = serveAiSdk({ models: [{ model: claude, id: 'claude' }], secrets: [apiKey] });
  const gemini = serveAiSdk({ models: [{ model: google, id: 'gemini' }], secrets: [apiKey] });
  afterAll(async () => {
    await anthropic.close();
    await gemini.close();
    await provider.close();
  });
  return { provider, anthropic, gemini };
}
