import type { Pen } from './pen.ts';

/** A bent stroke: a tail, a trunk. */
export function curve(
  { ctx }: Pen,
  x: number,
  y: number,
  cx: number,
  cy: number,
  ex: number,
  ey: number,
  wide: number,
  stroke: string,
): void {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.quadraticCurveTo(cx, cy, ex, ey);
  ctx.lineWidth = wide;
  ctx.lineCap = 'round';
  ctx.strokeStyle = stroke;
  ctx.stroke();
}
