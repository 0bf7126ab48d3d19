import { createChat } from '@modelwire/chat';
import type { ChatCompletionStoredMessage } from '@modelwire/chat';
import { defineCommand } from '../../command.ts';
import { oneLine } from '../../output/controls.ts';
import type { Column } from '../../output/table.ts';
import { listFlags, orderFlag, pageQuery, take } from '../../paging.ts';

const columns: readonly Column<ChatCompletionStoredMessage>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'role', cell: ({ role }) => role },
  { head: 'content', shrinks: true, cell: ({ content, refusal }) => oneLine(content ?? refusal ?? '') },
];

export const command = defineCommand({
  arguments: [{ name: 'completion-id', description: 'as completions list shows it' }],
  flags: { ...listFlags, ...orderFlag },
  examples: [
    { what: 'What was asked and answered', line: 'modelwire completions messages chatcmpl-abc123' },
    { what: 'Its texts in full', line: 'modelwire completions messages chatcmpl-abc123 --all --json | jq -r .content' },
  ],
  async run({ args: [id = ''], flags, transport, print, signal }) {
    const query = { ...pageQuery(flags), ...(flags.order && { order: flags.order }) };
    const list = createChat(await transport()).completions.messages.list(id, query, { signal });
    await print.rows(take(list, flags), columns, 'No messages.');
    return undefined;
  },
});
