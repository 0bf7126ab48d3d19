import { defineCommand } from '../command.ts';
import { asMarkdown, deleteConversation, findConversation, listConversations, textOf } from '../chat/conversation.ts';
import type { SavedConversation } from '../chat/conversation.ts';
import { oneLine } from '../output/controls.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';

const columns: readonly Column<SavedConversation>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'created', cell: ({ createdAt }) => timeText(createdAt) },
  { head: 'model', cell: ({ model }) => model },
  { head: 'messages', right: true, cell: ({ messages }) => messages.length },
  { head: 'first message', shrinks: true, cell: ({ messages: [first] }) => first && oneLine(textOf(first)) },
];

const idArgument = { name: 'chat-id', completes: 'chat', description: 'ID from modelwire chats list' } as const;

export const list = defineCommand({
  arguments: [],
  flags: {
    limit: { type: 'integer', short: 'n', value: 'n', min: 1, description: 'Maximum number of chats (default: 20)' },
    all: { type: 'boolean', description: 'List all chats' },
  },
  description: 'The last 200 chats are kept on this machine.',
  examples: [{ what: 'List the newest chats', line: 'modelwire chats list' }],
  async run({ flags, terminal, print }) {
    const chats = await listConversations(terminal, flags.all ? Infinity : (flags.limit ?? 20));
    await print.rows(chats, columns, 'No saved chats.');
  },
});

export const get = defineCommand({
  arguments: [idArgument],
  flags: {},
  examples: [{ what: 'Show a chat as Markdown', line: 'modelwire chats get 20261122093000000-1f' }],
  async run({ args: [id = ''], terminal, print }) {
    const conversation = await findConversation(terminal, id);
    if (print.json) await print.value(conversation);
    else await print.text(asMarkdown(conversation));
  },
});

const deleteChats = defineCommand({
  arguments: [{ ...idArgument, multiple: true, description: 'IDs from modelwire chats list' }],
  flags: {},
  examples: [{ what: 'Delete a chat', line: 'modelwire chats delete 20261122093000000-1f' }],
  async run({ args, terminal, print }) {
    for (const each of args) {
      const { id } = await findConversation(terminal, each);
      await deleteConversation(terminal, id);
      if (print.json) await print.value({ id, deleted: true });
      else print.note(`Deleted ${id}.`);
    }
  },
});
export { deleteChats as delete };
