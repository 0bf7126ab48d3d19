import type { Canvas, Image } from '@napi-rs/canvas';
import { css } from './colour.ts';
import { atDepth } from './stage.ts';
import type { Stage } from './stage.ts';

/** The caller's picture fills the frame, cut to its shape; it moves as a background does. */
export function drawReference(stage: Stage, image: Image | Canvas): void {
  const { ctx, width, height, palette } = stage;
  ctx.fillStyle = css(palette.sky[0]);
  ctx.fillRect(0, 0, width, height);
  // A little larger than the frame, so that the camera has where to go.
  const scale = Math.max(width / image.width, height / image.height) * 1.14;
  const [wide, high] = [image.width * scale, image.height * scale];
  atDepth(stage, 0.4, () => {
    ctx.imageSmoothingEnabled = true;
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(image, (width - wide) / 2, (height - high) / 2, wide, high);
  });
}
