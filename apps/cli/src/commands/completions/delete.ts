import { createChat } from '@modelwire/chat';
import { defineCommand } from '../../command.ts';
import { deleteAll } from '../../deleting.ts';

export const command = defineCommand({
  arguments: [{ name: 'completion-id', multiple: true, description: 'one or more, as completions list shows them' }],
  flags: {},
  examples: [{ what: 'One completion', line: 'modelwire completions delete chatcmpl-abc123' }],
  async run({ args, transport, print, signal }) {
    const { completions } = createChat(await transport());
    return deleteAll(args, (id) => completions.delete(id, { signal }), print);
  },
});
