import { createVideos } from '@modelwire/videos';
import { defineCommand } from '../../command.ts';
import { saveBody, saveFlags } from '../../saving.ts';
import { fileNameOf, VARIANTS } from '../../video/variants.ts';

export const command = defineCommand({
  arguments: [{ name: 'video-id', description: 'a completed video' }],
  flags: {
    ...saveFlags,
    variant: { type: 'string', choices: VARIANTS, description: 'the video, or pictures of it; default video' },
  },
  examples: [
    { what: 'The video', line: 'modelwire video download video_abc' },
    { what: 'Its thumbnail', line: 'modelwire video download video_abc --variant thumbnail -o river.webp' },
  ],
  async run(context) {
    const { args, flags, transport, signal } = context;
    const [id = ''] = args;
    const { variant = 'video' } = flags;
    const body = await createVideos(await transport()).downloadContent(id, { variant }, { signal });
    await saveBody(context, body, fileNameOf(id, variant));
    return undefined;
  },
});
