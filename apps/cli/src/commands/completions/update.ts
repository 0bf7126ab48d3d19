import { createChat } from '@modelwire/chat';
import { defineCommand } from '../../command.ts';
import { completionFields } from '../../output/shapes.ts';
import { pairsOf } from '../../pairs.ts';

export const command = defineCommand({
  arguments: [
    { name: 'completion-id', description: 'as completions list shows it' },
    {
      name: 'key=value',
      optional: true,
      multiple: true,
      description: 'the metadata it is to carry; none takes all away',
    },
  ],
  flags: {},
  description: 'What is given takes the place of all metadata that it had.',
  examples: [{ what: 'File an answer', line: 'modelwire completions update chatcmpl-abc123 topic=rivers rating=good' }],
  async run({ args: [id = '', ...pairs], transport, print, signal }) {
    const metadata = pairsOf('<key=value>', pairs);
    const completion = await createChat(await transport()).completions.update(id, { metadata }, { signal });
    await print.record(completion, completionFields(completion));
    return undefined;
  },
});
