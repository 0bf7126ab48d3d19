/**
 * Converts pixels to the format of H.264: BT.709, limited range, one chroma sample per four pixels. Uses integer arithmetic, so that all
 * machines produce the same bytes. Width and height are even.
 */
export function toYuv(pixels: Uint8Array, width: number, height: number, into: Uint8Array): void {
  // Reads 32-bit words: one read per pixel.
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const area = width * height;
  let u = area;
  let v = area + area / 4;
  for (let row = 0; row < height; row += 2) {
    for (let column = 0; column < width; column += 2) {
      const at = row * width + column;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let corner = 0; corner < 4; corner++) {
        const pixel = at + (corner & 1) + (corner >> 1) * width;
        const word = words[pixel] ?? 0;
        const r = word & 255;
        const g = (word >> 8) & 255;
        const b = (word >> 16) & 255;
        into[pixel] = (11_966 * r + 40_254 * g + 4_064 * b + 1_081_344) >> 16;
        red += r;
        green += g;
        blue += b;
      }
      // Sums of four values, divided by shifting two more bits.
      into[u++] = (-6_596 * red - 22_189 * green + 28_784 * blue + 33_685_504) >> 18;
      into[v++] = (28_784 * red - 26_145 * green - 2_639 * blue + 33_685_504) >> 18;
    }
  }
}
