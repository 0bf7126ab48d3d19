import type { Define } from '../app.ts';
import { asMarkdown, deleteConversation, findConversation, listConversations, textOf } from '../chat/conversation.ts';
import type { SavedConversation } from '../chat/conversation.ts';
import { positiveInteger } from '../option-values.ts';
import type { Column } from '../output/table.ts';
import { timeText } from '../output/units.ts';
import { subcommand } from '../subcommand.ts';

const columns: readonly Column<SavedConversation>[] = [
  { head: 'id', cell: ({ id }) => id },
  { head: 'created', cell: ({ createdAt }) => timeText(createdAt) },
  { head: 'model', cell: ({ model }) => model },
  { head: 'messages', right: true, cell: ({ messages }) => messages.length },
  { head: 'first message', shrinks: true, cell: ({ messages: [first] }) => first && textOf(first) },
];

export const define: Define = (chats, { terminal, print }) => {
  subcommand(chats, 'list', 'List saved chats, newest first', { 'List the newest chats': 'modelwire chats list' })
    .description('The last 200 chats are kept on this machine.')
    .option('-n, --limit <n>', 'Maximum number of chats (default: 20)', positiveInteger)
    .option('--all', 'List all chats')
    .action(async ({ limit = 20, all }) => {
      await print.rows(await listConversations(terminal, all ? Infinity : limit), columns, 'No saved chats.');
    });

  subcommand(chats, 'get', 'Show a saved chat', {
    'Show a chat as Markdown': 'modelwire chats get 20261122093000000-1f',
  })
    .argument('<chat-id>', 'ID from modelwire chats list')
    .action(async (id) => {
      const conversation = await findConversation(terminal, id);
      if (print.json) await print.value(conversation);
      else await print.text(asMarkdown(conversation));
    });

  subcommand(chats, 'delete', 'Delete saved chats', {
    'Delete a chat': 'modelwire chats delete 20261122093000000-1f',
  })
    .argument('<chat-id...>', 'IDs from modelwire chats list')
    .action(async (ids) => {
      for (const given of ids) {
        const { id } = await findConversation(terminal, given);
        await deleteConversation(terminal, id);
        await print.done({ id, deleted: true }, `Deleted ${id}.`);
      }
    });
};
