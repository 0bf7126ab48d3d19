import type { VideoEngine } from '@modelwire/ports';

const bytes = (text: string): AsyncIterable<Uint8Array> =>
  new Blob([Uint8Array.from(text, (one) => one.charCodeAt(0))]).stream();

/** Videos that start like real ones, immediately; those of a lighthouse never complete. */
export const quickVideos: VideoEngine = {
  name: 'quick',
  concurrency: 64,
  models: () => [
    {
      id: 'quick',
      created: 1_700_000_000,
      owned_by: 'tests',
      sizes: ['720x1280', '1280x720'],
      seconds: ['4', '8'],
      inputReference: false,
      remix: true,
      extend: true,
      videoInput: true,
    },
  ],
  async render({ prompt }, { signal, save, progress }) {
    progress(10);
    if (prompt.includes('lighthouse')) {
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
      });
    }
    await save('thumbnail', 'image/webp', bytes('RIFF\x10\0\0\0WEBPVP8 '));
    await save('spritesheet', 'image/jpeg', bytes('\xff\xd8\xff\xe0'));
    await save('video', 'video/mp4', bytes('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'));
  },
};
