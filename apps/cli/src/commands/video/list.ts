import { createVideos } from '@modelwire/videos';
import { defineCommand } from '../../command.ts';
import { videoColumns } from '../../output/shapes.ts';
import { listFlags, orderFlag, pageQuery, take } from '../../paging.ts';

export const command = defineCommand({
  arguments: [],
  flags: { ...listFlags, ...orderFlag },
  examples: [{ what: 'The newest videos', line: 'modelwire video list' }],
  async run({ flags, transport, print, signal }) {
    const query = { ...pageQuery(flags), ...(flags.order && { order: flags.order }) };
    const list = createVideos(await transport()).list(query, { signal });
    await print.rows(take(list, flags), videoColumns, 'No videos.');
    return undefined;
  },
});
