import type { ModelResponse, ResponseCreateParamsBase, ResponsesClient } from '@modelwire/responses';
import { openReplyWriter } from '../chat/reply-writer.ts';
import type { Context } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Printer } from '../output/printer.ts';
import type { responseFlags } from './flags.ts';

/** Prints one response and returns the exit code: 10 for one that failed, was refused or truncated. */
export async function printResponse(
  { flags, terminal, print, signal }: Context<typeof responseFlags>,
  responses: ResponsesClient,
  body: Omit<ResponseCreateParamsBase, 'stream'>,
): Promise<number> {
  const writer = await openReplyWriter(print, {
    markdown: terminal.isTTY.stdout && print.style.enabled && !flags.plain && flags.schema === undefined,
    silent: print.json || flags.events,
    columns: () => terminal.columns(),
  });
  let response: ModelResponse;
  if (flags['no-stream']) {
    response = await responses.create({ ...body, stream: false }, { signal });
    await writer.write(response.output_text);
  } else {
    const stream = responses.stream(body, { signal });
    for await (const event of stream) {
      if (flags.events) await print.value(event);
      else if (event.type === 'response.output_text.delta') await writer.write(event.delta);
    }
    response = await stream.final();
  }
  await writer.end();
  if (print.json && !flags.events) await print.value(response);
  return report(response, print, flags['max-tokens']);
}

function report(response: ModelResponse, print: Printer, maxTokens: number | undefined): number {
  const { id, status, store, error, incomplete_details, output } = response;
  for (const item of output) {
    if (item.type === 'function_call') print.note(`→ ${item.name} ${item.arguments}`);
    else if (item.type === 'custom_tool_call') print.note(`→ ${item.name} ${item.input}`);
  }
  if (store) print.note(`To continue: modelwire responses create --previous ${id} "<prompt>"`);
  const refusal = refusalOf(response);
  if (refusal !== '') print.warn(`The model refused: ${refusal}`);
  else if (status === 'failed') print.warn(`The response failed: ${error?.message ?? 'for an unknown reason'}`);
  else if (status === 'incomplete' && incomplete_details?.reason === 'content_filter') {
    print.warn('The response is truncated by the content filter.');
  } else if (status === 'incomplete' && maxTokens !== undefined) {
    print.note(`The response reached the limit of ${maxTokens} tokens (--max-tokens).`);
    return EXIT.ok;
  } else if (status === 'incomplete') {
    print.warn('The response is truncated: it reached the token limit of the server.');
  } else return EXIT.ok;
  return EXIT.unsuccessful;
}

function refusalOf({ output }: ModelResponse): string {
  return output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'refusal' ? part.refusal : ''))
    .join('');
}
