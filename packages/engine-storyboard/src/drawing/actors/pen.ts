import type { SKRSContext2D } from '@napi-rs/canvas';
import { css, lighten, mix, rgb } from '../colour.ts';
import type { Rgb } from '../colour.ts';
import type { Stage } from '../stage.ts';

/**
 * What an actor is drawn with. The canvas is scaled so that the actor stands on (0, 0), is one unit high (y goes down, so its head is
 * at -1) and looks to the right.
 */
export interface Pen {
  readonly ctx: SKRSContext2D;
  readonly stage: Stage;
  readonly colour: Rgb;
  readonly main: string;
  readonly shade: string;
  readonly light: string;
  readonly ink: string;
  readonly pale: string;
  /** Its own clock, seconds. */
  readonly clock: number;
  /** How fast legs and wings go; 0 where it stands still. */
  readonly stride: number;
  /** Tells those of a group apart. */
  readonly index: number;
  /** A fixed colour in the light of the scene. */
  lit(hex: string): string;
}

export function penOf(stage: Stage, colour: Rgb, clock: number, stride: number, index: number): Pen {
  return {
    ctx: stage.ctx,
    stage,
    colour,
    main: css(colour),
    shade: css(lighten(colour, -0.24)),
    light: css(lighten(colour, 0.32)),
    ink: css(mix(lighten(colour, -0.7), stage.palette.ink, 0.5)),
    pale: css(mix(stage.palette.shown([250, 246, 236]), stage.palette.haze, 0.06)),
    clock,
    stride,
    index,
    lit: (hex) => css(stage.palette.shown(rgb(hex))),
  };
}

/** A swing between -1 and 1 in the rhythm of its steps. */
export function swing({ clock, stride, index }: Pen, offset = 0): number {
  return stride === 0 ? 0 : Math.sin(clock * 7 * stride + index * 1.3 + offset);
}
