import { createCanvas } from '@napi-rs/canvas';
import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas';
import { drawCaption, layoutCaption } from './caption.ts';
import { captionFont } from './fonts.ts';
import { createCards } from './cards.ts';
import { drawShape } from './shape.ts';
import { themeOf } from './theme.ts';
import type { Theme } from './theme.ts';

export interface AnimationInit {
  /** The first prompt, then those of its remixes. */
  readonly prompts: readonly string[];
  readonly seed: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** The reference image: the background of the video instead of a gradient. */
  readonly reference: Image | undefined;
}

export interface Animation {
  /** Draws the frame of a time, in seconds, onto the canvas. */
  draw(seconds: number): void;
  readonly canvas: Canvas;
}

const fadeSeconds = 0.4;
/** Shown in every frame, so that the video is not mistaken for the output of a video model. */
const mark = 'STORYBOARD PREVIEW · NOT A GENERATED VIDEO';

/**
 * Title cards on one canvas. The first prompt and the seed determine backdrop, shape and motion, so that remixes share them; the last prompt
 * determines the colour of the shape.
 */
export function createAnimation({ prompts, seed, width, height, seconds, reference }: AnimationInit): Animation {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d', { alpha: false });
  const theme = themeOf(seed, prompts[0] ?? '');
  const backdrop = reference ? pictureBackdrop(reference, width, height) : gradientBackdrop(theme, width, height);
  const accent = (prompt: string | undefined): string =>
    `hsl(${String((theme.hue + 150 + (themeOf(seed, prompt ?? '').hue % 120)) % 360)} 85% 65%)`;
  const accents = { source: accent(prompts.at(-2)), own: accent(prompts.at(-1)) };
  const cards = createCards(prompts, seconds).map((card) => ({
    ...card,
    caption: layoutCaption(ctx, card.text, width, height),
  }));
  return {
    canvas,
    draw(now) {
      const card = cards.findLast(({ start }) => now >= start) ?? cards[0];
      if (!card) return;
      ctx.drawImage(backdrop, 0, 0);
      drawShape(ctx, theme, { width, height, part: now / seconds, colour: card.isOwn ? accents.own : accents.source });
      // The first frame has its text, because players show it before playback.
      const opacity = card.start === 0 ? 1 : Math.min(1, (now - card.start) / fadeSeconds);
      drawCaption(ctx, { caption: card.caption, label: card.label, width, height, opacity });
      drawMark(ctx, width, height);
    },
  };
}

function gradientBackdrop({ hue, angle }: Theme, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d', { alpha: false });
  const [x, y] = [(Math.cos(angle) * width) / 2, (Math.sin(angle) * height) / 2];
  const gradient = ctx.createLinearGradient(width / 2 - x, height / 2 - y, width / 2 + x, height / 2 + y);
  gradient.addColorStop(0, `hsl(${String(hue)} 70% 14%)`);
  gradient.addColorStop(1, `hsl(${String((hue + 50) % 360)} 60% 38%)`);
  ctx.fillStyle = gradient;
  ctx.fillRect(0, 0, width, height);
  return canvas;
}

/** Scales the image to fill the frame, and crops it. */
function pictureBackdrop(image: Image, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d', { alpha: false });
  const scale = Math.max(width / image.width, height / image.height);
  const [wide, high] = [image.width * scale, image.height * scale];
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(image, (width - wide) / 2, (height - high) / 2, wide, high);
  return canvas;
}

function drawMark(ctx: SKRSContext2D, width: number, height: number): void {
  const size = Math.max(6, Math.round(Math.min(width, height) * 0.022));
  ctx.font = `600 ${String(size)}px ${captionFont}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'alphabetic';
  ctx.fillStyle = 'rgba(0,0,0,0.4)';
  ctx.fillRect(0, height - size * 2.6, width, size * 2.6);
  ctx.fillStyle = 'rgba(255,255,255,0.8)';
  ctx.fillText(mark, width / 2, height - size * 0.95, width * 0.94);
}
