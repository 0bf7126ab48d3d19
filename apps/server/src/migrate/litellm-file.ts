import * as z from 'zod';

/** What is read of a `config.yaml` of LiteLLM. Other fields are kept, so that the command can name them. */
export const liteLLMFile = z.looseObject({
  model_list: z
    .array(
      z.looseObject({
        model_name: z.string(),
        litellm_params: z.looseObject({
          /** A provider, a slash, and the ID of the model there. */
          model: z.string(),
          api_base: z.string().optional(),
          api_key: z.string().optional(),
          weight: z.number().optional(),
          input_cost_per_token: z.number().optional(),
          output_cost_per_token: z.number().optional(),
        }),
      }),
    )
    .default([]),
  router_settings: z
    .looseObject({
      routing_strategy: z.string().optional(),
      allowed_fails: z.number().optional(),
      /** Seconds. */
      cooldown_time: z.number().optional(),
      model_group_alias: z.record(z.string(), z.string()).optional(),
      fallbacks: z.array(z.record(z.string(), z.array(z.string()))).optional(),
    })
    .default({}),
  litellm_settings: z
    .looseObject({ fallbacks: z.array(z.record(z.string(), z.array(z.string()))).optional() })
    .default({}),
  general_settings: z.looseObject({}).default({}),
});

export type LiteLLMFile = z.infer<typeof liteLLMFile>;
