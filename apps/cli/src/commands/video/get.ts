import { createVideos } from '@modelwire/videos';
import { defineCommand } from '../../command.ts';
import { videoFields } from '../../output/shapes.ts';

export const command = defineCommand({
  arguments: [{ name: 'video-id', description: 'as video list shows it' }],
  flags: {},
  examples: [{ what: 'How far it is', line: 'modelwire video get video_abc123' }],
  async run({ args: [id = ''], transport, print, signal }) {
    const video = await createVideos(await transport()).retrieve(id, { signal });
    await print.record(video, videoFields(video));
    return undefined;
  },
});
