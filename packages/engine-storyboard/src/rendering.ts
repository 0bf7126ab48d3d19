import { setImmediate } from 'node:timers/promises';
import { createCanvas } from '@napi-rs/canvas';
import type { Canvas } from '@napi-rs/canvas';
import type { VideoVariant } from '@modelwire/schema/types';
import { createAnimation, lengthOf } from './drawing/animation.ts';
import { createEncoder } from './encoding/encoder.ts';
import { decodeReference, encodeCheckpoint } from './reference-image.ts';
import type { Report, RenderJob } from './protocol.ts';

/** Frames of a spritesheet, by rows. */
const sheetColumns = 5;
const sheetRows = 2;
const sheetTileSide = 320;
/** Frames between two garbage collections: V8 does not count the pixels of a canvas, which are outside its heap. */
const framesPerCollection = 8;

/** Draws and encodes one video and its images, with one frame in memory at a time. */
export async function renderStoryboard(work: RenderJob, report: (message: Report) => void): Promise<void> {
  const { width, height, scenes, framesPerSecond } = work;
  const image = work.reference ? await decodeReference(work.reference, work.maxReferencePixels) : undefined;
  if (image) report({ type: 'checkpoint', text: await encodeCheckpoint(image) });
  const save = (variant: VideoVariant, mediaType: string, bytes: Uint8Array) =>
    report({ type: 'variant', variant, mediaType, bytes });
  const film = createAnimation(work, image);
  const encoder = await createEncoder(work);
  const frames = Math.round(lengthOf(scenes) * framesPerSecond);
  const sheet = sheetOf(width, height);
  const poster = Math.min(frames - 1, Math.round(frames * 0.25));

  for (let frame = 0; frame < frames; frame++) {
    film.draw(frame / framesPerSecond);
    encoder.add(film.canvas.data());
    sheet.take(film.canvas, frame, frames);
    if (frame === poster) save('thumbnail', 'image/webp', await film.canvas.encode('webp', 84));
    report({ type: 'progress', frames: frame + 1, of: frames });
    // Lets messages of the parent process in.
    await setImmediate();
    if (frame % framesPerCollection === framesPerCollection - 1) globalThis.gc?.();
  }
  save('spritesheet', 'image/jpeg', await sheet.canvas.encode('jpeg', 82));
  save('video', 'video/mp4', await encoder.finish());
}

function sheetOf(width: number, height: number) {
  const scale = Math.min(1, sheetTileSide / Math.max(width, height));
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
  const canvas = createCanvas(wide * sheetColumns, high * sheetRows);
  const ctx = canvas.getContext('2d', { alpha: false });
  ctx.imageSmoothingQuality = 'high';
  const tiles = sheetColumns * sheetRows;
  let next = 0;
  return {
    canvas,
    take(from: Canvas, frame: number, frames: number) {
      // The middle of each tenth.
      while (next < tiles && frame >= Math.min(frames - 1, Math.floor(((next + 0.5) / tiles) * frames))) {
        ctx.drawImage(from, (next % sheetColumns) * wide, Math.floor(next / sheetColumns) * high, wide, high);
        next++;
      }
    },
  };
}
