import type { ChatCompletionCreateParamsBase } from '@modelwire/chat';
import type { Values } from '../command.ts';
import { pairsOf } from '../pairs.ts';
import type { chatFlags } from './flags.ts';

/** Parameters of each request besides model, messages and tools. */
export type ChatParams = Omit<ChatCompletionCreateParamsBase, 'model' | 'messages' | 'tools' | 'stream'>;

export async function paramsOf(flags: Values<typeof chatFlags>, cwd: string): Promise<ChatParams> {
  const { temperature, seed, stop, effort, verbosity, schema, metadata } = flags;
  const params: Record<string, unknown> = {
    temperature,
    top_p: flags['top-p'],
    max_completion_tokens: flags['max-tokens'],
    seed,
    stop: stop.length === 0 ? undefined : stop,
    reasoning_effort: effort,
    verbosity,
    service_tier: flags['service-tier'],
    store: flags.store ? true : undefined,
    metadata: metadata.length === 0 ? undefined : pairsOf('--metadata', metadata),
    response_format: schema === undefined ? undefined : await (await import('./schema.ts')).readSchema(schema, cwd),
  };
  const others = Object.entries(pairsOf('--param', flags.param)).map(
    ([name, text]) => [name, parseValue(text)] as const,
  );
  // Values of --param are validated by the server: other servers have other parameters.
  return Object.fromEntries([...Object.entries(params), ...others].filter(([, value]) => value !== undefined));
}

/** The value of valid JSON, otherwise the text itself. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
