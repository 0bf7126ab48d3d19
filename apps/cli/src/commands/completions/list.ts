import { createChat } from '@modelwire/chat';
import { defineCommand } from '../../command.ts';
import { completionColumns } from '../../output/shapes.ts';
import { pairsOf } from '../../pairs.ts';
import { listFlags, orderFlag, pageQuery, take } from '../../paging.ts';

export const command = defineCommand({
  arguments: [],
  flags: {
    ...listFlags,
    ...orderFlag,
    model: { type: 'string', short: 'm', value: 'id', completes: 'model', description: 'only those of this model' },
    metadata: { type: 'string', multiple: true, value: 'key=value', description: 'only those that carry this pair' },
  },
  description: 'Completions are kept when they are asked for with --store.',
  examples: [
    { what: 'The newest', line: 'modelwire completions list --order desc' },
    { what: 'Those of a topic', line: 'modelwire completions list --metadata topic=rivers --all' },
  ],
  async run({ flags, transport, print, signal }) {
    const { order, model, metadata } = flags;
    const query = {
      ...pageQuery(flags),
      ...(order && { order }),
      ...(model !== undefined && { model }),
      ...(metadata.length > 0 && { metadata: pairsOf('--metadata', metadata) }),
    };
    const list = createChat(await transport()).completions.list(query, { signal });
    await print.rows(take(list, flags), completionColumns, 'No completions.');
    return undefined;
  },
});
