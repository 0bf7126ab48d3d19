import { createVideos } from '@modelwire/videos';
import { defineCommand } from '../../command.ts';
import { finishVideo, makeFlags, shapeOf } from '../../video/making.ts';

export const command = defineCommand({
  arguments: [
    { name: 'video-id', description: 'a completed video' },
    { name: 'prompt', multiple: true, description: 'what is to be different' },
  ],
  flags: makeFlags,
  description: 'What is not said stays as it is in the source.',
  examples: [{ what: 'The same by night', line: 'modelwire video remix video_abc "The same at night" --wait' }],
  async run(context) {
    const { args, transport, signal } = context;
    const [id = '', ...words] = args;
    const remix = { prompt: words.join(' '), ...shapeOf(context) };
    return finishVideo(context, await createVideos(await transport()).remix(id, remix, { signal }));
  },
});
