import { setImmediate } from 'node:timers/promises';
import { createCanvas } from '@napi-rs/canvas';
import type { Canvas } from '@napi-rs/canvas';
import { filmOf } from './drawing/film.ts';
import type { Encoder } from './encoding/encoder.ts';
import { createFfmpegEncoder } from './encoding/ffmpeg-encoder.ts';
import { createWasmEncoder } from './encoding/wasm-encoder.ts';
import { hashOf } from './random.ts';
import { decodeReference, memoryOf } from './reference-image.ts';
import type { Report, Work } from './protocol.ts';
import { shotsOf } from './shots.ts';
import { storyOf } from './words/story.ts';

/** Frames of a sheet, in rows. */
const sheetColumns = 5;
const sheetRows = 2;
const sheetTileSide = 320;
/** Frames between two collections: pixels of a canvas live outside of the heap, which does not know how full they make the memory. */
const framesHeld = 4;

/** Draws and encodes one video and its pictures. One frame is held at a time. */
export async function renderStoryboard(work: Work, report: (message: Report) => void): Promise<void> {
  const { width, height, seconds, framesPerSecond, seed } = work;
  const image = work.reference && (await decodeReference(work.reference, work.maxReferencePixels));
  if (image) report({ type: 'memory', text: await memoryOf(image) });
  report({ type: 'drawing' });

  const shots = shotsOf(storyOf(work.prompts), seconds, hashOf(seed, work.prompts[0] ?? ''));
  const film = filmOf(shots, width, height, image && { image });
  const encoder: Encoder = work.ffmpeg
    ? createFfmpegEncoder(work.ffmpeg.program, work.ffmpeg.folder, work)
    : await createWasmEncoder(work);
  const frames = Math.round(seconds * framesPerSecond);
  const sheet = sheetOf(width, height);
  const poster = Math.min(frames - 1, Math.round(frames * 0.25));

  for (let frame = 0; frame < frames; frame++) {
    film.draw(frame / framesPerSecond);
    await encoder.add(film.canvas.data());
    sheet.take(film.canvas, frame, frames);
    if (frame === poster) {
      report({
        type: 'variant',
        variant: 'thumbnail',
        mediaType: 'image/webp',
        bytes: await film.canvas.encode('webp', 84),
      });
    }
    report({ type: 'progress', frames: frame + 1, of: frames });
    // Lets orders come in and what is no longer needed go.
    await setImmediate();
    if (frame % framesHeld === framesHeld - 1) globalThis.gc?.();
  }
  report({
    type: 'variant',
    variant: 'spritesheet',
    mediaType: 'image/jpeg',
    bytes: await sheet.canvas.encode('jpeg', 82),
  });
  report({ type: 'variant', variant: 'video', mediaType: 'video/mp4', bytes: await encoder.finish() });
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
