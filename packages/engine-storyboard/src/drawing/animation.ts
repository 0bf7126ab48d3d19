import { createCanvas } from '@napi-rs/canvas';
import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas';
import { drawCaption, layoutCaption } from './caption.ts';
import { captionFont } from './fonts.ts';
import { createCards } from './cards.ts';
import type { RenderJob, Scene } from '../protocol.ts';
import { themeOf } from './theme.ts';
import type { Theme } from './theme.ts';

const fadeSeconds = 0.4;
/** Shown in every frame, so that the video is not mistaken for the output of a video model. */
const mark = 'STORYBOARD PREVIEW · NOT A GENERATED VIDEO';

/**
 * Title cards on one canvas: `draw` shows the frame of a time, in seconds. The first prompt and the seed determine backdrop, shape and motion,
 * so that remixes and extensions share them; the last prompt of a scene determines the colour of the shape. A reference image replaces the gradient of the backdrop.
 */
export function createAnimation({ scenes, seed, width, height }: RenderJob, reference: Image | undefined) {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d', { alpha: false });
  const theme = themeOf(seed, scenes[0]?.prompts[0] ?? '');
  const backdrop = backdropOf(theme, reference, width, height);
  const accent = (prompt: string | undefined): string =>
    `hsl(${(theme.hue + 150 + (themeOf(seed, prompt ?? '').hue % 120)) % 360} 85% 65%)`;
  const drawableScene = (scene: Scene, index: number) => ({
    seconds: scene.seconds,
    start: lengthOf(scenes.slice(0, index)),
    accents: { source: accent(scene.prompts.at(-2)), own: accent(scene.prompts.at(-1)) },
    cards: createCards(scene).map((card) => ({ ...card, caption: layoutCaption(ctx, card.text) })),
  });
  const drawable = scenes.map(drawableScene);
  return {
    canvas,
    draw(time: number) {
      const scene = drawable.findLast(({ start }) => time >= start);
      if (!scene) return;
      const { cards, accents, seconds } = scene;
      const now = time - scene.start;
      const card = cards.findLast(({ start }) => now >= start) ?? cards[0];
      if (!card) return;
      ctx.drawImage(backdrop, 0, 0);
      theme.drawShape(ctx, now / seconds, card.isOwn ? accents.own : accents.source);
      // The first frame has its text, because players show it before playback.
      const opacity = card.start === 0 ? 1 : Math.min(1, (now - card.start) / fadeSeconds);
      drawCaption(ctx, card.caption, card.label, opacity);
      drawMark(ctx);
    },
  };
}

/** Seconds. */
export function lengthOf(scenes: readonly Scene[]): number {
  return scenes.reduce((sum, { seconds }) => sum + seconds, 0);
}

function backdropOf({ hue, angle }: Theme, image: Image | undefined, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d', { alpha: false });
  if (image) {
    // Fills the frame, and is cropped.
    const scale = Math.max(width / image.width, height / image.height);
    const [wide, high] = [image.width * scale, image.height * scale];
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(image, (width - wide) / 2, (height - high) / 2, wide, high);
    return canvas;
  }
  const [x, y] = [(Math.cos(angle) * width) / 2, (Math.sin(angle) * height) / 2];
  const gradient = ctx.createLinearGradient(width / 2 - x, height / 2 - y, width / 2 + x, height / 2 + y);
  gradient.addColorStop(0, `hsl(${hue} 70% 14%)`);
  gradient.addColorStop(1, `hsl(${(hue + 50) % 360} 60% 38%)`);
  ctx.fillStyle = gradient;
  ctx.fillRect(0, 0, width, height);
  return canvas;
}

function drawMark(ctx: SKRSContext2D): void {
  const { width, height } = ctx.canvas;
  const size = Math.max(6, Math.round(Math.min(width, height) * 0.022));
  ctx.font = `600 ${size}px ${captionFont}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'alphabetic';
  ctx.fillStyle = 'rgba(0,0,0,0.4)';
  ctx.fillRect(0, height - size * 2.6, width, size * 2.6);
  ctx.fillStyle = 'rgba(255,255,255,0.8)';
  ctx.fillText(mark, width / 2, height - size * 0.95, width * 0.94);
}
