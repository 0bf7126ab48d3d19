import type { ChatCompletionContentPart, ResponseCreateParamsBase, ResponseInputContent } from '@modelwire/client';
import type { ChatFlags } from '../chat/options.ts';
import type { Prompt } from '../chat/prompt.ts';
import { readSchema } from '../chat/schema.ts';

export type ResponseBody = Omit<ResponseCreateParamsBase, 'stream'>;

type GenerationFlags = Pick<
  ChatFlags,
  'effort' | 'maxTokens' | 'metadata' | 'param' | 'schema' | 'serviceTier' | 'temperature' | 'topP' | 'verbosity'
>;

interface ResponseFlags extends GenerationFlags {
  readonly instructions?: string;
  readonly previous?: string;
  readonly conversation?: string;
  readonly store: boolean;
  readonly background?: boolean;
}

/** Body of Create response. */
export async function bodyOf(
  flags: ResponseFlags,
  { model, input, cwd }: { readonly model: string; readonly input: ResponseBody['input']; readonly cwd: string },
): Promise<ResponseBody> {
  const { effort, verbosity, schema } = flags;
  const format = schema === undefined ? undefined : await formatOf(schema, cwd);
  const params: Readonly<Record<string, unknown>> = {
    instructions: flags.instructions,
    previous_response_id: flags.previous,
    conversation: flags.conversation,
    temperature: flags.temperature,
    top_p: flags.topP,
    max_output_tokens: flags.maxTokens,
    reasoning: effort === undefined ? undefined : { effort },
    text: format === undefined && verbosity === undefined ? undefined : { format, verbosity },
    service_tier: flags.serviceTier,
    metadata: flags.metadata,
    store: flags.store ? undefined : false,
    background: flags.background,
    // Validated by the server: other servers have other parameters.
    ...flags.param,
  };
  return { ...params, model, input };
}

/** A text alone, or one message with its attachments. */
export function inputOf({ text, parts }: Prompt): NonNullable<ResponseBody['input']> {
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
async function formatOf(schema: string, cwd: string) {
  const format = await readSchema(schema, cwd);
  return { type: format.type, ...format.json_schema };
}
