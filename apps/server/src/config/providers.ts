import * as z from 'zod';
import { capabilitiesField } from './capabilities.ts';

/** JSON values, for settings that packages define. */
const settings = z.record(z.string(), z.json());
const providerOptions = z.record(z.string(), settings);

const chatModel = z.strictObject({
  model: z.string().min(1).describe('Model ID of the provider, such as `claude-sonnet-4-5`.'),
  id: z.string().min(1).optional().describe('Model ID in requests. Default: the same ID.'),
  owned_by: z.string().min(1).optional().describe('`owned_by` in `GET /v1/models`. Default: name of the provider.'),
  capabilities: capabilitiesField.describe('Capabilities that differ from what is known of the provider.'),
  providerOptions: providerOptions
    .optional()
    .describe('Provider options of every request, such as `{ anthropic: { effort: low } }`.'),
});

const embeddingModel = z.strictObject({
  model: z.string().min(1).describe('Model ID of the provider, such as `gemini-embedding-001`.'),
  id: z.string().min(1).optional().describe('Model ID in requests. Default: the same ID.'),
  owned_by: z.string().min(1).optional().describe('`owned_by` in `GET /v1/models`. Default: name of the provider.'),
  dimensions: z
    .enum(['native', 'emulated', 'refused'])
    .optional()
    .describe(
      'Support for `dimensions`: `native` (by the provider), `emulated` (by the server) or `refused` (400). Default `native`.',
    ),
  providerOptions: providerOptions
    .optional()
    .describe('Provider options of every request, such as `{ google: { taskType: RETRIEVAL_QUERY } }`.'),
});

export const provider = z
  .strictObject({
    package: z.string().min(1).describe('Name of the provider package, such as `@ai-sdk/anthropic`. You install it.'),
    apiKey: z.string().min(1).optional().describe('API key.'),
    apiKeyEnv: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Name of the environment variable that contains the key. Default: the variable that the package reads.',
      ),
    options: settings
      .optional()
      .describe('Further settings of the package, such as `baseURL`, `headers` or `region`. See its documentation.'),
    export: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Export that creates the provider. Default: the one named like the package, such as `createAnthropic`.',
      ),
    models: z
      .array(z.union([z.string().min(1), chatModel]))
      .min(1)
      .optional()
      .describe('Chat models: IDs, or objects.'),
    embeddingModels: z
      .array(z.union([z.string().min(1), embeddingModel]))
      .min(1)
      .optional()
      .describe('Embedding models: IDs, or objects.'),
  })
  .refine(({ apiKey, apiKeyEnv }) => apiKey === undefined || apiKeyEnv === undefined, {
    message: 'set either apiKey or apiKeyEnv, not both',
    path: ['apiKeyEnv'],
  })
  .refine(({ models, embeddingModels }) => models !== undefined || embeddingModels !== undefined, {
    message: 'set models, embeddingModels, or both',
    path: ['models'],
  });
