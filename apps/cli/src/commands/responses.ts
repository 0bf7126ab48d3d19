import type { ModelResponse, ResponseItem } from '@modelwire/client';
import { waitFor as waitUntil } from '@modelwire/core';
import type { Define } from '../app.ts';
import { withGenerationOptions } from '../chat/options.ts';
import { readPrompt } from '../chat/prompt.ts';
import { resolveModel } from '../chat/resolve-model.ts';
import { usageError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Fields } from '../output/printer.ts';
import { pairsText } from '../output/shapes.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';
import { listCommand, orderOption, pageQuery, take } from '../paging.ts';
import { resourceCommands } from '../resource-commands.ts';
import { printResponse } from '../responses/print-response.ts';
import { bodyOf, inputOf } from '../responses/request.ts';
import { subcommand } from '../subcommand.ts';
import { waitFor, withWaitOptions } from '../wait-for.ts';

export const define: Define = (responses, app) => {
  const { client, terminal, print, signal } = app;
  const resource = resourceCommands(responses, app, {
    ...{ id: 'response-id', example: 'resp_abc123', fields: responseFields, listedBy: 'responses create' },
  });

  withGenerationOptions(
    subcommand(responses, 'create', 'Create a response, or continue one', {
      'Ask a question': 'modelwire responses create "Name three rivers in Europe."',
      'Continue a response': 'modelwire responses create --previous resp_abc123 "Which is the longest?"',
      'Generate in the background':
        'modelwire responses create --background --json "Tell me about rivers." | jq -r .id',
      'Print the events of the stream': 'modelwire responses create --events "Hello"',
    }),
  )
    .description(
      `The server stores responses: --previous continues one without sending its turns again. With --background, the response is generated on the server: wait for it with modelwire responses wait.`,
    )
    .argument('[prompt...]', 'Input; text from stdin is prepended')
    .option('-s, --instructions <text>', 'Instructions for the model, for this response only')
    .option('-p, --previous <response-id>', 'Continue a stored response')
    .option('--conversation <conversation-id>', 'Continue a conversation of the server')
    .option('--no-store', 'Do not store the response on the server')
    .option('--background', 'Generate the response in the background, and print its ID')
    .option('--events', 'Print each event of the stream as a line of JSON')
    .action(async (words, flags) => {
      if (flags.events && (!flags.stream || flags.background)) {
        throw usageError('Option --events cannot be combined with --no-stream or --background.');
      }
      if (flags.previous !== undefined && flags.conversation !== undefined) {
        throw usageError('Options --previous and --conversation cannot be combined.');
      }
      const prompt = await readPrompt(app, words, flags);
      if (prompt.text === '' && prompt.parts.length === 0) {
        throw usageError('Missing prompt.', 'Pass a prompt, or pipe text: modelwire responses create "<prompt>"');
      }
      const model = await resolveModel(app, flags.model);
      const body = await bodyOf(flags, { model, input: inputOf(prompt), cwd: terminal.cwd });
      if (!flags.background) return printResponse(app, flags, body);
      const response = await (await client()).responses.create({ ...body, stream: false }, { signal });
      await resource.print(response);
      print.note(`To wait for it: modelwire responses wait ${response.id}`);
    });

  resource.call('get', 'Show a stored response', ({ responses }, id, options) => responses.retrieve(id, {}, options));

  listCommand(
    responses,
    'List the items of the input of a response',
    { 'List the input of a response': 'modelwire responses items resp_abc123 --order asc' },
    'items',
  )
    .description('The newest come first. Items of responses that it continues are not listed.')
    .argument('<response-id>', 'ID from modelwire responses create')
    .addOption(orderOption())
    .action(async (id, flags) => {
      const query = { ...pageQuery(flags), order: flags.order };
      const { inputItems } = (await client()).responses;
      await print.rows(take(inputItems.list(id, query, { signal }), flags), itemColumns, 'No items.');
    });

  withWaitOptions(resource.withId('wait', 'Wait for a background response and print its text'))
    .description('Exits with 10 if the response is not completed.')
    .action(async (id, flags) => {
      const { responses } = await client();
      const response = await waitFor<ModelResponse>(
        app,
        flags,
        `responses wait ${id}`,
        (options) =>
          waitUntil(
            () => responses.retrieve(id, {}, { signal }),
            ({ status }) => status !== 'queued' && status !== 'in_progress',
            options,
          ),
        ({ status }) => print.progress.update({ done: 0, total: 1, label: `${id} ${status}` }),
      );
      if (print.json) await print.value(response);
      else await print.text(response.output_text);
      if (response.status === 'completed') return;
      print.warn(`The response is ${response.status}${response.error ? `: ${response.error.message}` : ''}.`);
      app.exitCode = EXIT.unsuccessful;
    });

  resource
    .call('cancel', 'Cancel a background response', ({ responses }, id, options) => responses.cancel(id, options))
    .description('Only responses that were created with --background can be cancelled.');

  resource.delete('Delete stored responses', ({ responses }, id, options) => responses.delete(id, options));
};

const itemColumns: readonly Column<ResponseItem>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'type', cell: ({ type }) => type ?? 'message' },
  { head: 'role', cell: (item) => ('role' in item ? item.role : '') },
  { head: 'content', shrinks: true, cell: contentText },
];

function responseFields(response: ModelResponse): Fields {
  const { usage, error, incomplete_details } = response;
  return [
    ['id', response.id],
    ['status', response.status],
    ['model', response.model],
    ['created', timeText(response.created_at)],
    ['continues', response.previous_response_id],
    ['conversation', response.conversation?.id],
    ['metadata', pairsText(response.metadata)],
    ['tokens', usage && `${usage.input_tokens} input, ${usage.output_tokens} output`],
    ['incomplete', incomplete_details?.reason],
    ['error', error?.message],
    ['text', response.output_text],
  ];
}

function contentText(item: ResponseItem): string {
  if ('content' in item && item.content !== undefined) return textOf(item.content);
  switch (item.type) {
    case 'function_call_output':
    case 'custom_tool_call_output':
      return textOf(item.output);
    case 'function_call':
      return `→ ${item.name} ${item.arguments}`;
    case 'custom_tool_call':
      return `→ ${item.name} ${item.input}`;
    default:
      return '';
  }
}

function textOf(content: string | readonly object[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => ('text' in part && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join(' ');
}
