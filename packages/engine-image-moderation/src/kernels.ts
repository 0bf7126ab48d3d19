/**
 * The kernels of a MobileNet, on pixels by rows with interleaved channels. Each adds the bias, so that normalization folds into
 * weights and bias, and clamps to 0 and `most` (6 in the network), or not at all.
 */

export interface Shape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

export interface Image extends Shape {
  readonly data: Float32Array;
}

/** `[minimum, maximum]` of the output. */
export type Cut = readonly [number, number];

export const uncut: Cut = [-Infinity, Infinity];

export function image({ height, width, channels }: Shape): Image {
  return { height, width, channels, data: new Float32Array(height * width * channels) };
}

/**
 * Weights of a matrix product in blocks of four columns: four sums for each of four rows stay in registers, which is three
 * times as fast as one at a time.
 */
export function packColumns(weights: Float32Array, rows: number, columns: number): Float32Array {
  const packed = new Float32Array(Math.ceil(columns / 4) * 4 * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      packed[((column >> 2) * rows + row) * 4 + (column & 3)] = weights[row * columns + column] ?? 0;
    }
  }
  return packed;
}

/** A 1x1 convolution: multiplies the channels of each pixel by a matrix. `to.channels` and `bias` are multiples of four. */
export function pointwise(from: Image, packed: Float32Array, bias: Float32Array, [least, most]: Cut, to: Image): void {
  const inner = from.channels;
  const columns = to.channels;
  const a = from.data;
  const out = to.data;
  const pixels = from.width * from.height;
  // The statements of a row are on one line.
  // prettier-ignore
  for (let pixel = 0; pixel < pixels; pixel += 4) {
    // Rows past the last repeat the last: written to the same place with the same values.
    const p0 = pixel;
    const p1 = Math.min(pixel + 1, pixels - 1);
    const p2 = Math.min(pixel + 2, pixels - 1);
    const p3 = Math.min(pixel + 3, pixels - 1);
    for (let column = 0; column < columns; column += 4) {
      const b0 = bias[column] as number;
      const b1 = bias[column + 1] as number;
      const b2 = bias[column + 2] as number;
      const b3 = bias[column + 3] as number;
      let s00 = b0, s01 = b1, s02 = b2, s03 = b3;
      let s10 = b0, s11 = b1, s12 = b2, s13 = b3;
      let s20 = b0, s21 = b1, s22 = b2, s23 = b3;
      let s30 = b0, s31 = b1, s32 = b2, s33 = b3;
      let w = column * inner;
      let i0 = p0 * inner;
      let i1 = p1 * inner;
      let i2 = p2 * inner;
      let i3 = p3 * inner;
      for (let k = 0; k < inner; k++, w += 4) {
        const w0 = packed[w] as number;
        const w1 = packed[w + 1] as number;
        const w2 = packed[w + 2] as number;
        const w3 = packed[w + 3] as number;
        const x0 = a[i0++] as number;
        const x1 = a[i1++] as number;
        const x2 = a[i2++] as number;
        const x3 = a[i3++] as number;
        s00 += x0 * w0; s01 += x0 * w1; s02 += x0 * w2; s03 += x0 * w3;
        s10 += x1 * w0; s11 += x1 * w1; s12 += x1 * w2; s13 += x1 * w3;
        s20 += x2 * w0; s21 += x2 * w1; s22 += x2 * w2; s23 += x2 * w3;
        s30 += x3 * w0; s31 += x3 * w1; s32 += x3 * w2; s33 += x3 * w3;
      }
      const o0 = p0 * columns + column;
      const o1 = p1 * columns + column;
      const o2 = p2 * columns + column;
      const o3 = p3 * columns + column;
      out[o0] = cut(s00, least, most); out[o0 + 1] = cut(s01, least, most);
      out[o0 + 2] = cut(s02, least, most); out[o0 + 3] = cut(s03, least, most);
      out[o1] = cut(s10, least, most); out[o1 + 1] = cut(s11, least, most);
      out[o1 + 2] = cut(s12, least, most); out[o1 + 3] = cut(s13, least, most);
      out[o2] = cut(s20, least, most); out[o2 + 1] = cut(s21, least, most);
      out[o2 + 2] = cut(s22, least, most); out[o2 + 3] = cut(s23, least, most);
      out[o3] = cut(s30, least, most); out[o3 + 1] = cut(s31, least, most);
      out[o3 + 2] = cut(s32, least, most); out[o3 + 3] = cut(s33, least, most);
    }
  }
}

/** A 3x3 depthwise convolution. `before`: zero padding above and to the left. */
export function depthwise(
  from: Image,
  weights: Float32Array,
  bias: Float32Array,
  [least, most]: Cut,
  { stride, before }: { readonly stride: number; readonly before: number },
  to: Image,
): void {
  const { channels, width, height, data } = from;
  for (let y = 0, at = 0; y < to.height; y++) {
    for (let x = 0; x < to.width; x++, at += channels) {
      for (let channel = 0; channel < channels; channel++) to.data[at + channel] = bias[channel] as number;
      for (let dy = 0; dy < 3; dy++) {
        const sy = y * stride + dy - before;
        if (sy < 0 || sy >= height) continue;
        for (let dx = 0; dx < 3; dx++) {
          const sx = x * stride + dx - before;
          if (sx < 0 || sx >= width) continue;
          const pixel = (sy * width + sx) * channels;
          const weight = (dy * 3 + dx) * channels;
          for (let channel = 0; channel < channels; channel++) {
            to.data[at + channel] =
              (to.data[at + channel] as number) +
              (data[pixel + channel] as number) * (weights[weight + channel] as number);
          }
        }
      }
      for (let channel = 0; channel < channels; channel++) {
        to.data[at + channel] = cut(to.data[at + channel] as number, least, most);
      }
    }
  }
}

/** Copies the 3x3 pixels of each position into a row, so that a full convolution becomes a 1x1 convolution. */
export function unfold(
  from: Image,
  { stride, before }: { readonly stride: number; readonly before: number },
  to: Image,
): void {
  const { channels, width, height, data } = from;
  to.data.fill(0);
  for (let y = 0, at = 0; y < to.height; y++) {
    for (let x = 0; x < to.width; x++) {
      for (let dy = 0; dy < 3; dy++) {
        const sy = y * stride + dy - before;
        for (let dx = 0; dx < 3; dx++, at += channels) {
          const sx = x * stride + dx - before;
          if (sy < 0 || sy >= height || sx < 0 || sx >= width) continue;
          const pixel = (sy * width + sx) * channels;
          for (let channel = 0; channel < channels; channel++) to.data[at + channel] = data[pixel + channel] as number;
        }
      }
    }
  }
}

export function add(one: Image, other: Image, to: Image): void {
  for (let at = 0; at < to.data.length; at++) to.data[at] = (one.data[at] as number) + (other.data[at] as number);
}

/** The mean of each channel. */
export function averaged(from: Image): Float32Array {
  const means = new Float32Array(from.channels);
  const pixels = from.width * from.height;
  for (let at = 0; at < from.data.length; at++) {
    const channel = at % from.channels;
    means[channel] = (means[channel] as number) + (from.data[at] as number) / pixels;
  }
  return means;
}

/** A vector times a matrix, plus the bias. */
export function dense(from: Float32Array, weights: Float32Array, bias: Float32Array): Float32Array {
  const to = Float32Array.from(bias);
  for (let row = 0; row < from.length; row++) {
    const value = from[row] as number;
    for (let column = 0; column < to.length; column++) {
      to[column] = (to[column] as number) + value * (weights[row * to.length + column] as number);
    }
  }
  return to;
}

export function softmax(values: Float32Array): number[] {
  const most = Math.max(...values);
  const powers = [...values].map((value) => Math.exp(value - most));
  const sum = powers.reduce((all, one) => all + one, 0);
  return powers.map((power) => power / sum);
}

function cut(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value;
}
