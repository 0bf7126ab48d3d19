import type { ChatCompletionStoredMessage } from '@modelwire/client';
import type { Define } from '../app.ts';
import { openReplyWriter } from '../chat/reply-writer.ts';
import { collectPairs, numberFrom, unixSecondsFrom } from '../option-values.ts';
import { completionColumns, completionFields } from '../output/shapes.ts';
import type { Column } from '../output/table.ts';
import { listCommand, orderOption, pageQuery, take } from '../paging.ts';
import { resourceCommands } from '../resource-commands.ts';

const messageColumns: readonly Column<ChatCompletionStoredMessage>[] = [
  { head: 'id', cell: (message) => message.id },
  { head: 'role', cell: ({ role }) => role },
  { head: 'content', shrinks: true, cell: ({ content, refusal }) => content ?? refusal },
];

export const define: Define = (group, app) => {
  const { client, print, signal } = app;
  const completions = async () => (await client()).chat.completions;
  const resource = resourceCommands(group, app, {
    ...{ id: 'completion-id', example: 'chatcmpl-abc123', fields: completionFields },
  });

  listCommand(group, 'List stored completions', {
    'List the newest': 'modelwire completions list --order desc',
    'List those about a topic': 'modelwire completions list --metadata topic=rivers --all',
    'List those that mention something': `modelwire completions list --search '"opening hours" muse*'`,
    'List those of a day': 'modelwire completions list --since 2026-11-23 --until 2026-11-24 --all',
  })
    .description('The server stores completions that are created with --store.')
    .addOption(orderOption())
    .option(
      '--since <time>',
      'Only items created from this time on, such as 2026-11-23, 2026-11-23T09:30:00Z or Unix seconds',
      unixSecondsFrom,
    )
    .option('--until <time>', 'Only items created before this time', unixSecondsFrom)
    .option('-m, --model <model>', 'Only completions of this model')
    .option('--metadata <key=value>', 'Only completions with this metadata (repeatable)', collectPairs)
    .option('--search <text>', 'Only completions with these words, such as \'"opening hours" muse*\'')
    .option('--key <key-id>', 'Only completions that this key created')
    .option('--finish-reason <reason>', 'Only completions with this finish reason, such as length')
    .action(async (flags) => {
      const { order, since, until, model, metadata, search, key, finishReason } = flags;
      const filters = { model, metadata, search, api_key_id: key, finish_reason: finishReason };
      const query = { ...pageQuery(flags), order, start_time: since, end_time: until, ...filters };
      const list = (await completions()).list(query, { signal });
      await print.rows(take(list, flags), completionColumns, 'No stored completions.');
    });

  resource.call('get', 'Show a stored completion', ({ chat }, id, options) => chat.completions.retrieve(id, options));

  resource
    .withId('follow', 'Print a resumable stream, also while it is generated', {
      'Print a stream from its start': 'modelwire completions follow chatcmpl-abc123',
      'Print what follows an event': 'modelwire completions follow chatcmpl-abc123 --after 10',
    })
    .description(
      'Streams of completions that are created with --store are resumable, also after their connection broke.',
    )
    .option('--after <n>', 'Continue after the event with this ID', numberFrom({ min: 0, isInteger: true }))
    .action(async (id, { after }) => {
      const writer = await openReplyWriter(app, {}, { silent: print.json });
      const chunks = await (await completions()).resume(id, { starting_after: after }, { signal });
      for await (const chunk of chunks) {
        if (print.json) await print.value(chunk);
        for (const { index, delta } of chunk.choices) if (index === 0) await writer.write(delta.content ?? '');
      }
      await writer.end();
    });

  resource
    .withId('update', 'Replace the metadata of a stored completion', {
      'Tag a completion': 'modelwire completions update chatcmpl-abc123 topic=rivers rating=good',
    })
    .argument('[key=value...]', 'New metadata; omit it to remove all metadata', collectPairs)
    .action(async (id, metadata = {}) => {
      await resource.print(await (await completions()).update(id, { metadata }, { signal }));
    });

  listCommand(
    group,
    'List the messages of a stored completion',
    {
      'List the messages': 'modelwire completions messages chatcmpl-abc123',
      'Print their full text': 'modelwire completions messages chatcmpl-abc123 --all --json | jq -r .content',
    },
    'messages',
  )
    .argument('<completion-id>', 'ID from modelwire completions list')
    .addOption(orderOption())
    .action(async (id, flags) => {
      const { messages } = await completions();
      const list = messages.list(id, { ...pageQuery(flags), order: flags.order }, { signal });
      await print.rows(take(list, flags), messageColumns, 'No messages.');
    });

  resource.delete('Delete stored completions', ({ chat }, id, options) => chat.completions.delete(id, options));
};
