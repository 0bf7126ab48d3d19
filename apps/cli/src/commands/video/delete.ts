import { createVideos } from '@modelwire/videos';
import { defineCommand } from '../../command.ts';
import { deleteAll } from '../../deleting.ts';

export const command = defineCommand({
  arguments: [{ name: 'video-id', multiple: true, description: 'one or more; one that is being made is stopped' }],
  flags: {},
  examples: [{ what: 'One video', line: 'modelwire video delete video_abc123' }],
  async run({ args, transport, print, signal }) {
    const videos = createVideos(await transport());
    return deleteAll(args, (id) => videos.delete(id, { signal }), print);
  },
});
