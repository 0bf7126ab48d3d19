import { waitFlags } from '../../batch/watch.ts';
import { defineCommand } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { videoFields } from '../../output/shapes.ts';
import { watchVideo } from '../../video/making.ts';

export const command = defineCommand({
  arguments: [{ name: 'video-id', description: 'as video list shows it' }],
  flags: waitFlags,
  description: 'Ends with 0 when the video is completed, and with 10 when it failed.',
  examples: [
    {
      what: 'Save it as soon as it is there',
      line: 'modelwire video wait video_abc && modelwire video download video_abc',
    },
  ],
  async run(context) {
    const video = await watchVideo(context, context.args[0] ?? '');
    await context.print.record(video, videoFields(video));
    return video.status === 'completed' ? undefined : EXIT.bad;
  },
});
