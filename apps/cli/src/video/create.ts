import { createVideos } from '@modelwire/videos';
import type { Video } from '@modelwire/videos';
import type { Context, Flags } from '../command.ts';
import { modelFlag } from '../model-flag.ts';
import { EXIT } from '../exit-codes.ts';
import { videoFields } from '../output/shapes.ts';
import { saveBody, saveFlags } from '../save-body.ts';
import { waitFlags, waitFor } from '../wait-for.ts';

const SECONDS = ['4', '8', '12'] as const;
const SIZES = ['720x1280', '1280x720', '1024x1792', '1792x1024'] as const;

/** Options of the commands that generate a video. */
export const createFlags = {
  model: modelFlag("Video model (default: the server's)"),
  seconds: { type: 'string', choices: SECONDS, description: 'Duration in seconds' },
  size: { type: 'string', choices: SIZES, description: 'Width and height in pixels' },
  wait: { type: 'boolean', short: 'w', description: 'Wait until the video is completed; implied by --output' },
  ...waitFlags,
  ...saveFlags,
} as const satisfies Flags;

/** The request parameters of these options. */
export function createParams({ flags }: Context<typeof createFlags>) {
  const { model, seconds, size } = flags;
  return { ...(model !== undefined && { model }), ...(seconds && { seconds }), ...(size && { size }) };
}

/** Prints a new video, or waits for it and saves it, depending on the options. */
export async function finishVideo(context: Context<typeof createFlags>, created: Video): Promise<number | undefined> {
  const { flags, print, signal, transport } = context;
  const saves = flags.output !== undefined;
  if (!flags.wait && !saves) {
    await print.record(created, videoFields(created));
    print.note(`To save it when it is completed: modelwire videos download ${created.id}`);
    return undefined;
  }
  const video = await waitForVideo(context, created.id);
  if (video.status !== 'completed' || !saves) {
    await print.record(video, videoFields(video));
    return video.status === 'completed' ? undefined : EXIT.unsuccessful;
  }
  const response = await createVideos(await transport()).downloadContent(video.id, {}, { signal });
  await saveBody(context, response, `${video.id}.mp4`);
  return undefined;
}

export async function waitForVideo(context: Context<typeof waitFlags>, id: string): Promise<Video> {
  const videos = createVideos(await context.transport());
  return waitFor(
    context,
    `videos wait ${id}`,
    (options) => videos.wait(id, options),
    ({ progress, status }) =>
      context.print.progress.update({ done: progress, total: 100, label: `${id} ${status}`, unit: 'percent' }),
  );
}
