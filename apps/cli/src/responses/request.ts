import type { ChatCompletionContentPart } from '@modelwire/chat';
import type { ResponseInputContent, ResponseCreateParamsBase } from '@modelwire/responses';
import type { Values } from '../command.ts';
import { parseValue } from '../chat/request.ts';
import { pairsOf } from '../pairs.ts';
import type { responseFlags } from './flags.ts';

type Body = Omit<ResponseCreateParamsBase, 'stream'>;

/** Body of Create response. */
export async function bodyOf(
  flags: Values<typeof responseFlags>,
  { model, input, cwd }: { readonly model: string; readonly input: Body['input']; readonly cwd: string },
): Promise<Body> {
  const { temperature, effort, verbosity, metadata, schema, background } = flags;
  const format = schema === undefined ? undefined : await formatOf(schema, cwd);
  const params: Record<string, unknown> = {
    instructions: flags.instructions,
    previous_response_id: flags.previous,
    conversation: flags.conversation,
    temperature,
    top_p: flags['top-p'],
    max_output_tokens: flags['max-tokens'],
    reasoning: effort === undefined ? undefined : { effort },
    text: format === undefined && verbosity === undefined ? undefined : { format, verbosity },
    service_tier: flags['service-tier'],
    metadata: metadata.length === 0 ? undefined : pairsOf('--metadata', metadata),
    store: flags['no-store'] ? false : undefined,
    background: background ? true : undefined,
  };
  const others = Object.entries(pairsOf('--param', flags.param)).map(
    ([name, text]) => [name, parseValue(text)] as const,
  );
  // Values of --param are validated by the server: other servers have other parameters.
  const given = [...Object.entries(params), ...others].filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), model, input };
}

/** A text alone, or one message with its attachments. */
export function inputOf(text: string, parts: readonly ChatCompletionContentPart[]): NonNullable<Body['input']> {
  if (parts.length === 0) return text;
  const content: ResponseInputContent[] = parts.map(toInputPart);
  if (text !== '') content.push({ type: 'input_text', text });
  return [{ role: 'user', content }];
}

function toInputPart(part: ChatCompletionContentPart): ResponseInputContent {
  switch (part.type) {
    case 'image_url':
      return { type: 'input_image', image_url: part.image_url.url };
    case 'file':
      return { type: 'input_file', ...part.file };
    case 'input_audio':
      return { type: 'input_file', filename: `audio.${part.input_audio.format}`, file_data: part.input_audio.data };
    case 'text':
      return { type: 'input_text', text: part.text };
  }
}

/** Not nested, unlike in chat completions. */
async function formatOf(schema: string, cwd: string): Promise<object> {
  const { readSchema } = await import('../chat/schema.ts');
  const format = await readSchema(schema, cwd);
  return format.type === 'json_schema' ? { type: format.type, ...format.json_schema } : format;
}
