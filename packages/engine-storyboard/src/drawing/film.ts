import { createCanvas } from '@napi-rs/canvas';
import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas';
import { transitionSeconds } from '../shots.ts';
import type { Shot } from '../shots.ts';
import { drawCaption, layOut } from './caption.ts';
import type { Caption } from './caption.ts';
import { drawCast, easeInOut, focusOf } from './cast.ts';
import { paletteOf } from './palette.ts';
import type { Palette } from './palette.ts';
import { drawScrim, settings } from './places.ts';
import { drawReference } from './reference.ts';
import type { Stage, View } from './stage.ts';
import { drawWeather } from './weather.ts';

/** A picture the caller gave to start from. */
export interface Reference {
  readonly image: Image | Canvas;
}

export interface Film {
  /** Draws the moment onto the film's canvas. */
  draw(seconds: number): void;
  readonly canvas: Canvas;
}

/** All shots on one canvas of the film's size. */
export function filmOf(shots: readonly Shot[], width: number, height: number, reference: Reference | undefined): Film {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d', { alpha: false });
  // The coming shot of a fade is drawn beside and laid over.
  let beside: Canvas | undefined;
  const palettes = shots.map(({ look }) => paletteOf(look));
  const captions = shots.map(({ caption }) => layOut(ctx, caption, width, height));

  function drawShot(target: SKRSContext2D, index: number, seconds: number): void {
    const [shot, palette] = [shots[index], palettes[index]];
    if (!shot || !palette) return;
    target.setTransform(1, 0, 0, 1, 0, 0);
    const stage = stageOf(target, shot, palette, width, height, seconds);
    if (reference && index === 0) {
      drawReference(stage, reference.image);
    } else {
      settings[shot.look.place].draw(stage);
    }
    drawCast(stage);
    drawWeather(stage);
    if (!onPaper(shot)) drawScrim(stage);
  }

  return {
    canvas,
    draw(seconds) {
      const index = Math.max(
        0,
        shots.findLastIndex(({ start }) => seconds >= start),
      );
      const shot = shots[index];
      if (!shot) return;
      const since = seconds - shot.start;
      const turning = index > 0 && shot.cut !== 'cut' && since < transitionSeconds;
      if (turning) {
        const part = easeInOut(since / transitionSeconds);
        drawShot(ctx, index - 1, seconds);
        beside ??= createCanvas(width, height);
        drawShot(beside.getContext('2d'), index, seconds);
        ctx.setTransform(1, 0, 0, 1, 0, 0);
        if (shot.cut === 'fade') {
          ctx.globalAlpha = part;
          ctx.drawImage(beside, 0, 0);
          ctx.globalAlpha = 1;
        } else {
          ctx.drawImage(beside, width * shot.look.heading * (1 - part), 0);
        }
      } else {
        drawShot(ctx, index, seconds);
      }
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      const caption: Caption | undefined = captions[index];
      if (caption && caption.lines.length > 0) {
        const shown = shot.captionStays ? 1 : Math.min(1, Math.max(0, (since - (index === 0 ? 0.15 : 0.25)) / 0.6));
        drawCaption(ctx, caption, width, height, shown, onPaper(shot));
      }
    },
  };
}

/** Shapes on light paper: the caption is printed on it. */
function onPaper({ look }: Shot): boolean {
  return look.place === 'abstract' && look.time !== 'night' && look.mood !== 'dark';
}

function stageOf(
  ctx: SKRSContext2D,
  shot: Shot,
  palette: Palette,
  width: number,
  height: number,
  seconds: number,
): Stage {
  const { look, start, end } = shot;
  // The picture lives on under the transition to the next shot.
  const part = Math.min(1.2, Math.max(0, (seconds - start) / (end - start)));
  const setting = settings[look.place];
  const stage: Stage = {
    ctx,
    width,
    height,
    // A person is about a fifth of the frame high, upright or wide.
    unit: Math.min(width * 0.36, height * 0.27),
    horizon: setting.horizon * height,
    look,
    palette,
    clock: seconds * look.pace + 3,
    part,
    view: { x: 0, y: 0, zoom: 1, focus: [0.5, 0.5] },
  };
  return { ...stage, view: viewOf(stage, shot, part) };
}

function viewOf(stage: Stage, shot: Shot, part: number): View {
  const { look } = shot;
  const ease = part < 1 ? part * 0.55 + easeInOut(part) * 0.45 : part;
  const away = (ease - 0.5) * 0.16 * Math.min(1.6, look.pace);
  const close = shot.framing === 'close';
  const at = focusOf(close || shot.camera === 'follow' ? stage : { ...stage, part: 0.5 });
  const base = {
    x: 0,
    y: 0,
    zoom: close ? 1.55 : shot.framing === 'medium' ? 1.22 : 1.02,
    focus: close ? at : ([0.5, 0.52] as const),
  };
  switch (shot.camera) {
    case 'still':
      return base;
    case 'left':
      return { ...base, x: -away };
    case 'right':
      return { ...base, x: away };
    case 'up':
      return { ...base, y: (0.5 - ease) * 0.12 };
    case 'down':
      return { ...base, y: (ease - 0.5) * 0.1 };
    case 'in':
      return { ...base, zoom: base.zoom + ease * 0.22, focus: close ? at : [(0.5 + at[0]) / 2, (0.52 + at[1]) / 2] };
    case 'out':
      return { ...base, zoom: base.zoom + (1 - ease) * 0.26 };
    case 'follow':
      return { ...base, x: (at[0] - 0.5) * 0.8, zoom: base.zoom + 0.12 };
  }
}
