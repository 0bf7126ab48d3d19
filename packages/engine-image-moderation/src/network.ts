import { add, averaged, dense, depthwise, image, packColumns, pointwise, softmax, uncut, unfold } from './kernels.ts';
import type { Cut, Image } from './kernels.ts';
import type { Tensors } from './weights.ts';

/** Width and height of the network's input. */
export const side = 224;

export const classes = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;
export type Probabilities = Readonly<Record<(typeof classes)[number], number>>;

interface Block {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly stride: number;
  /** Factor of the inner channels; the first block has no expansion. */
  readonly widen: number;
}

/** The blocks of MobileNetV2 (width 1): count, channels, and the stride of the first. */
const stages = [
  { times: 1, channels: 16, stride: 1, widen: 1 },
  { times: 2, channels: 24, stride: 2, widen: 6 },
  { times: 3, channels: 32, stride: 2, widen: 6 },
  { times: 4, channels: 64, stride: 2, widen: 6 },
  { times: 3, channels: 96, stride: 1, widen: 6 },
  { times: 3, channels: 160, stride: 2, widen: 6 },
  { times: 1, channels: 320, stride: 1, widen: 6 },
] as const;
const stemChannels = 32;
const lastChannels = 1280;

function blocksOf(): readonly Block[] {
  const blocks: Block[] = [];
  let from: number = stemChannels;
  for (const { times, channels, stride, widen } of stages) {
    for (let time = 0; time < times; time++) {
      const name = blocks.length === 0 ? 'expanded_conv' : `block_${blocks.length}`;
      blocks.push({ name, from, to: channels, stride: time === 0 ? stride : 1, widen });
      from = channels;
    }
  }
  return blocks;
}

const upTo6: Cut = [0, 6];

/** Returns the network: a function of the pixels of a 224 by 224 image (RGB, 0 to 255). Not reentrant. */
export function network(tensors: Tensors): (pixels: Uint8Array) => Probabilities {
  const stem = convolution(tensors, { kernel: 'Conv1/kernel', norm: 'bn_Conv1', columns: stemChannels });
  const half = side / 2;
  const patches = image({ width: half, height: half, channels: 27 });
  const stemOut = image({ width: half, height: half, channels: stemChannels });
  let size = half;
  const blocks = blocksOf().map((block) => {
    const made = blockOf(tensors, block, size);
    size /= block.stride;
    return made;
  });
  const last = convolution(tensors, { kernel: 'Conv_1/kernel', norm: 'Conv_1_bn', columns: lastChannels });
  const lastOut = image({ width: size, height: size, channels: lastChannels });
  const layers = [1, 2, 3].map((number) => ({
    kernel: tensor(tensors, `dense_${number}/kernel`),
    bias: tensor(tensors, `dense_${number}/bias`),
  }));

  return (pixels) => {
    const input = image({ width: side, height: side, channels: 3 });
    for (let at = 0; at < input.data.length; at++) input.data[at] = (pixels[at] ?? 0) / 255;
    unfold(input, { stride: 2, before: 0 }, patches);
    pointwise(patches, stem.packed, stem.bias, upTo6, stemOut);
    const features = blocks.reduce((from, block) => block(from), stemOut);
    pointwise(features, last.packed, last.bias, upTo6, lastOut);
    let values = averaged(lastOut);
    for (const [index, { kernel, bias }] of layers.entries()) {
      values = dense(values, kernel, bias);
      if (index < layers.length - 1) values = values.map((value) => Math.max(0, value));
    }
    const chances = softmax(values);
    return Object.fromEntries(classes.map((name, index) => [name, chances[index] ?? 0])) as Probabilities;
  };
}

/** Expansion, depthwise convolution, projection, and the residual where it applies. */
function blockOf(tensors: Tensors, { name, from, to, stride, widen }: Block, size: number): (input: Image) => Image {
  const inner = from * widen;
  const outSize = size / stride;
  const widening =
    widen === 1
      ? undefined
      : convolution(tensors, { kernel: `${name}_expand/kernel`, norm: `${name}_expand_BN`, columns: inner });
  const wide = widening && image({ width: size, height: size, channels: inner });
  const around = folded(tensors, `${name}_depthwise/depthwise_kernel`, `${name}_depthwise_BN`, inner);
  const seen = image({ width: outSize, height: outSize, channels: inner });
  const narrowing = convolution(tensors, { kernel: `${name}_project/kernel`, norm: `${name}_project_BN`, columns: to });
  const out = image({ width: outSize, height: outSize, channels: to });
  // With a stride of 2, zero padding is only below and to the right.
  const window = { stride, before: stride === 1 ? 1 : 0 };
  const keepsShape = stride === 1 && from === to;
  return (input) => {
    let widened = input;
    if (widening && wide) {
      pointwise(input, widening.packed, widening.bias, upTo6, wide);
      widened = wide;
    }
    depthwise(widened, around.kernel, around.bias, upTo6, window, seen);
    pointwise(seen, narrowing.packed, narrowing.bias, uncut, out);
    if (keepsShape) add(out, input, out);
    return out;
  };
}

function convolution(
  tensors: Tensors,
  { kernel: name, norm, columns }: { readonly kernel: string; readonly norm: string; readonly columns: number },
): { readonly packed: Float32Array; readonly bias: Float32Array } {
  const { kernel, bias } = folded(tensors, name, norm, columns);
  return { packed: packColumns(kernel, kernel.length / columns, columns), bias };
}

/** Weights with folded normalization: scaled per channel, the rest as bias. */
function folded(tensors: Tensors, name: string, norm: string, channels: number) {
  const gamma = tensor(tensors, `${norm}/gamma`);
  const beta = tensor(tensors, `${norm}/beta`);
  const mean = tensor(tensors, `${norm}/moving_mean`);
  const variance = tensor(tensors, `${norm}/moving_variance`);
  const kernel = Float32Array.from(tensor(tensors, name));
  if (gamma.length !== channels || kernel.length % channels !== 0)
    throw new Error(`${name} does not have the expected shape`);
  const bias = new Float32Array(channels);
  for (let channel = 0; channel < channels; channel++) {
    const scale = (gamma[channel] ?? 0) / Math.sqrt((variance[channel] ?? 0) + 0.001);
    bias[channel] = (beta[channel] ?? 0) - (mean[channel] ?? 0) * scale;
    for (let at = channel; at < kernel.length; at += channels) kernel[at] = (kernel[at] ?? 0) * scale;
  }
  return { kernel, bias };
}

function tensor(tensors: Tensors, name: string): Float32Array {
  const found = tensors.get(name);
  if (!found) throw new Error(`the weights have no '${name}'`);
  return found;
}
