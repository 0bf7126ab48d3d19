import { createChat } from '@modelwire/chat';
import { defineCommand } from '../../command.ts';
import { completionFields } from '../../output/shapes.ts';

export const command = defineCommand({
  arguments: [{ name: 'completion-id', description: 'as completions list shows it' }],
  flags: {},
  examples: [{ what: 'What was answered', line: 'modelwire completions get chatcmpl-abc123' }],
  async run({ args: [id = ''], transport, print, signal }) {
    const completion = await createChat(await transport()).completions.retrieve(id, { signal });
    await print.record(completion, completionFields(completion));
    return undefined;
  },
});
