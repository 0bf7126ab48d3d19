import type { ModelResponse } from '@modelwire/client';
import type { App } from '../app.ts';
import { openReplyWriter } from '../chat/reply-writer.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Printer } from '../output/printer.ts';
import type { ResponseBody } from './request.ts';

interface PrintFlags {
  readonly events?: boolean;
  readonly plain?: boolean;
  readonly schema?: string;
  readonly stream: boolean;
  readonly maxTokens?: number;
}

/** Prints one response. The exit code is 10 for one that failed, was refused or truncated. */
export async function printResponse(app: App, flags: PrintFlags, body: ResponseBody): Promise<void> {
  const { print, signal } = app;
  const { responses } = await app.client();
  const writer = await openReplyWriter(app, flags, { silent: print.json || flags.events === true });
  let response: ModelResponse;
  if (flags.stream) {
    const stream = responses.stream(body, { signal });
    for await (const event of stream) {
      if (flags.events) await print.value(event);
      else if (event.type === 'response.output_text.delta') await writer.write(event.delta);
    }
    response = await stream.final();
  } else {
    response = await responses.create({ ...body, stream: false }, { signal });
    await writer.write(response.output_text);
  }
  await writer.end();
  if (print.json && !flags.events) await print.value(response);
  app.exitCode = report(response, print, flags.maxTokens);
}

function report(response: ModelResponse, print: Printer, maxTokens: number | undefined): ExitCode {
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
