import { createChat } from '@modelwire/chat';
import type { ChatCompletionStoredMessage } from '@modelwire/chat';
import { defineCommand } from '../command.ts';
import { modelFlag } from '../model-flag.ts';
import { oneLine } from '../output/controls.ts';
import { completionColumns, completionFields } from '../output/shapes.ts';
import type { Column } from '../output/table.ts';
import { listFlags, orderFlag, pageQuery, take } from '../paging.ts';
import { pairsOf } from '../pairs.ts';
import { timeRangeFlags, timeRangeQuery } from '../time-range.ts';
import { defineResource } from '../resource-commands.ts';

const resource = defineResource({ id: 'completion-id', list: 'completions list', fields: completionFields });

export const list = defineCommand({
  arguments: [],
  flags: {
    ...listFlags,
    ...orderFlag,
    ...timeRangeFlags,
    model: modelFlag('Only completions of this model'),
    metadata: {
      type: 'string',
      multiple: true,
      value: 'key=value',
      description: 'Only completions with this metadata',
    },
  },
  description: 'The server stores completions that are created with --store.',
  examples: [
    { what: 'List the newest', line: 'modelwire completions list --order desc' },
    { what: 'List those about a topic', line: 'modelwire completions list --metadata topic=rivers --all' },
    { what: 'List those of a day', line: 'modelwire completions list --since 2026-11-23 --until 2026-11-24 --all' },
  ],
  async run({ flags, transport, print, signal }) {
    const { model, metadata } = flags;
    const query = {
      ...pageQuery(flags),
      ...timeRangeQuery(flags),
      ...(model !== undefined && { model }),
      ...(metadata.length > 0 && { metadata: pairsOf('--metadata', metadata) }),
    };
    const pages = createChat(await transport()).completions.list(query, { signal });
    await print.rows(take(pages, flags), completionColumns, 'No stored completions.');
  },
});

export const get = resource.call('Show a completion', 'completions get chatcmpl-abc123', (transport, id, options) =>
  createChat(transport).completions.retrieve(id, options),
);

export const update = defineCommand({
  arguments: [
    resource.argument,
    { name: 'key=value', optional: true, multiple: true, description: 'New metadata; omit it to remove all metadata' },
  ],
  flags: {},
  examples: [
    { what: 'Tag a completion', line: 'modelwire completions update chatcmpl-abc123 topic=rivers rating=good' },
  ],
  async run({ args: [completionId = '', ...pairs], transport, print, signal }) {
    const metadata = pairsOf('<key=value>', pairs);
    const completion = await createChat(await transport()).completions.update(completionId, { metadata }, { signal });
    await print.record(completion, completionFields(completion));
  },
});

const messageColumns: readonly Column<ChatCompletionStoredMessage>[] = [
  { head: 'id', cell: (message) => message.id },
  { head: 'role', cell: ({ role }) => role },
  { head: 'content', shrinks: true, cell: ({ content, refusal }) => oneLine(content ?? refusal ?? '') },
];

export const messages = defineCommand({
  arguments: [resource.argument],
  flags: { ...listFlags, ...orderFlag },
  examples: [
    { what: 'List the messages', line: 'modelwire completions messages chatcmpl-abc123' },
    {
      what: 'Print their full text',
      line: 'modelwire completions messages chatcmpl-abc123 --all --json | jq -r .content',
    },
  ],
  async run({ args: [completionId = ''], flags, transport, print, signal }) {
    const { completions } = createChat(await transport());
    const pages = completions.messages.list(completionId, pageQuery(flags), { signal });
    await print.rows(take(pages, flags), messageColumns, 'No messages.');
  },
});

const deleteCompletions = resource.delete(
  'Delete a completion',
  'completions delete chatcmpl-abc123',
  (transport, id, options) => createChat(transport).completions.delete(id, options),
);
export { deleteCompletions as delete };
