import { waitFor as waitUntil } from '@modelwire/core';
import { createResponses } from '@modelwire/responses';
import type { ModelResponse, ResponseItem } from '@modelwire/responses';
import { resolveModel } from '../chat/resolve-model.ts';
import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine } from '../output/controls.ts';
import type { Fields } from '../output/printer.ts';
import { pairsText } from '../output/shapes.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';
import { listFlags, orderFlag, pageQuery, take } from '../paging.ts';
import { defineResource } from '../resource-commands.ts';
import { responseFlags } from '../responses/flags.ts';
import { printResponse } from '../responses/print-response.ts';
import { bodyOf, inputOf } from '../responses/request.ts';
import { readStdin } from '../stdin.ts';
import { waitFlags, waitFor } from '../wait-for.ts';

const resource = defineResource({ id: 'response-id', list: 'responses create', fields: responseFields });

export const create = defineCommand({
  arguments: [{ name: 'prompt', optional: true, multiple: true, description: 'Input; text from stdin is prepended' }],
  flags: responseFlags,
  description: `The server stores responses: --previous continues one without sending its turns again. With --background, the response is
generated on the server: wait for it with modelwire responses wait.`,
  examples: [
    { what: 'Ask a question', line: 'modelwire responses create "Name three rivers in Europe."' },
    { what: 'Continue a response', line: 'modelwire responses create --previous resp_abc123 "Which is the longest?"' },
    {
      what: 'Generate in the background',
      line: 'modelwire responses create --background --json "Tell me about rivers." | jq -r .id',
    },
    { what: 'Print the events of the stream', line: 'modelwire responses create --events "Hello"' },
  ],
  async run(context) {
    const { flags, terminal, print, signal } = context;
    if (flags.events && (flags['no-stream'] || flags.background)) {
      throw usageError('Option --events cannot be combined with --no-stream or --background.');
    }
    if (flags.previous !== undefined && flags.conversation !== undefined) {
      throw usageError('Options --previous and --conversation cannot be combined.');
    }
    const input = await readInput(context);
    const transport = await context.transport();
    const model = await resolveModel(flags.model, await context.settings(), transport, signal);
    const body = await bodyOf(flags, { model, input, cwd: terminal.cwd });
    const responses = createResponses(transport);
    if (!flags.background) return printResponse(context, responses, body);
    const response = await responses.create({ ...body, stream: false }, { signal });
    await print.record(response, responseFields(response));
    print.note(`To wait for it: modelwire responses wait ${response.id}`);
    return undefined;
  },
});

export const get = resource.call('Show a response', 'responses get resp_abc123', (transport, id, options) =>
  createResponses(transport).retrieve(id, {}, options),
);

const itemColumns: readonly Column<ResponseItem>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'type', cell: ({ type }) => type ?? 'message' },
  { head: 'role', cell: (item) => ('role' in item ? item.role : '') },
  { head: 'content', shrinks: true, cell: (item) => oneLine(contentText(item)) },
];

export const items = defineCommand({
  arguments: [resource.argument],
  flags: { ...listFlags, ...orderFlag },
  description: 'The newest come first. Items of responses that it continues are not listed.',
  examples: [{ what: 'List the input of a response', line: 'modelwire responses items resp_abc123 --order asc' }],
  async run({ args: [responseId = ''], flags, transport, print, signal }) {
    const pages = createResponses(await transport()).inputItems.list(responseId, pageQuery(flags), { signal });
    await print.rows(take(pages, flags), itemColumns, 'No items.');
  },
});

export const wait = defineCommand({
  arguments: [resource.argument],
  flags: waitFlags,
  description: 'Exits with 10 if the response is not completed.',
  examples: [{ what: 'Wait for a background response', line: 'modelwire responses wait resp_abc123' }],
  async run(context) {
    const { args, print, signal } = context;
    const [responseId = ''] = args;
    const responses = createResponses(await context.transport());
    const response = await waitFor<ModelResponse>(
      context,
      `responses wait ${responseId}`,
      (options) =>
        waitUntil(
          () => responses.retrieve(responseId, {}, { signal }),
          ({ status }) => status !== 'queued' && status !== 'in_progress',
          options,
        ),
      ({ status }) => print.progress.update({ done: 0, total: 1, label: `${responseId} ${status}` }),
    );
    if (print.json) await print.value(response);
    else await print.text(response.output_text);
    if (response.status === 'completed') return undefined;
    print.warn(`The response is ${response.status}${response.error ? `: ${response.error.message}` : ''}.`);
    return EXIT.unsuccessful;
  },
});

export const cancel = resource.call(
  'Cancel a response',
  'responses cancel resp_abc123',
  (transport, id, options) => createResponses(transport).cancel(id, options),
  'Only responses that were created with --background can be cancelled.',
);

const deleteResponses = resource.delete('Delete a response', 'responses delete resp_abc123', (transport, id, options) =>
  createResponses(transport).delete(id, options),
);
export { deleteResponses as delete };

async function readInput({
  args,
  flags,
  terminal,
}: Context<typeof responseFlags>): Promise<ReturnType<typeof inputOf>> {
  const isStdinIgnored = terminal.isTTY.stdin || flags['no-stdin'] || flags['key-file'] === '-';
  const piped = isStdinIgnored ? '' : (await readStdin(terminal)).replace(/\n$/, '');
  const text = [piped, args.join(' ')].filter((each) => each !== '').join('\n\n');
  const hasAttachments = flags.file.length + flags.image.length > 0;
  if (text === '' && !hasAttachments) {
    throw usageError('Missing prompt.', 'Pass a prompt, or pipe text: modelwire responses create "<prompt>"');
  }
  if (!hasAttachments) return text;
  const { attachFile, attachImage } = await import('../chat/attachments.ts');
  const parts = await Promise.all([
    ...flags.file.map((path) => attachFile(path, terminal.cwd)),
    ...flags.image.map((path) => attachImage(path, terminal.cwd)),
  ]);
  return inputOf(text, parts);
}

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
