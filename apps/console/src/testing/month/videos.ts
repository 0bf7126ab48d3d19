import type { Modelwire } from '@modelwire/client';

const prompts = [
  { prompt: 'Steam rises from a cup on a wooden table', size: '1280x720' },
  { prompt: 'A barista pours milk, seen from above', size: '720x1280' },
  { prompt: 'Coffee beans fall into a grinder, slow motion', size: '720x1280' },
] as const;

/** Renders a few videos, and returns the ID of the last one. */
export async function renderVideos(api: Modelwire): Promise<string> {
  let last = '';
  for (const params of prompts) {
    const { id } = await api.videos.create({ ...params, seconds: '4' });
    await api.videos.wait(id);
    last = id;
  }
  return last;
}
