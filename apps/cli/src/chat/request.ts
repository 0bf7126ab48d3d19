import type { ChatFlags, ChatParams } from './options.ts';
import { readSchema } from './schema.ts';

export async function paramsOf(flags: ChatFlags, cwd: string): Promise<ChatParams> {
  const params: Readonly<Record<string, unknown>> = {
    temperature: flags.temperature,
    top_p: flags.topP,
    max_completion_tokens: flags.maxTokens,
    seed: flags.seed,
    stop: flags.stop,
    reasoning_effort: flags.effort,
    verbosity: flags.verbosity,
    service_tier: flags.serviceTier,
    store: flags.store,
    metadata: flags.metadata,
    response_format: flags.schema === undefined ? undefined : await readSchema(flags.schema, cwd),
    // Validated by the server: other servers have other parameters.
    ...flags.param,
  };
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}
