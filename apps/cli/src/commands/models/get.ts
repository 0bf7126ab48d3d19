import { createModels } from '@modelwire/models';
import { defineCommand } from '../../command.ts';
import { timeText } from '../../output/units.ts';

export const command = defineCommand({
  arguments: [{ name: 'model', completes: 'model', description: 'its id' }],
  flags: {},
  examples: [{ what: 'One model', line: 'modelwire models get simulator' }],
  async run({ args: [id = ''], transport, print, signal }) {
    const model = await createModels(await transport()).retrieve(id, { signal });
    const { owned_by, created } = model;
    await print.record(model, [
      ['id', model.id],
      ['owner', owned_by],
      ['created', timeText(created)],
    ]);
    return undefined;
  },
});
