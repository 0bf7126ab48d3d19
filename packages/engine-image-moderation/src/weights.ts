import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { notInstalled } from './not-installed.ts';

/** Numbers of the network by name, as before they were packed into bytes. */
export type Tensors = ReadonlyMap<string, Float32Array>;

const manifestSchema = z.object({
  weightsManifest: z.tuple([
    z.object({
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.number()),
          quantization: z.object({ dtype: z.literal('uint8'), min: z.number(), scale: z.number() }),
        }),
      ),
    }),
  ]),
});

/**
 * Reads the weights of MobileNetV2 from the package `nsfwjs` (MIT, 2.6 MB) without its code: its own loader takes ten seconds
 * and needs TensorFlow.
 * @throws an Error with the install command.
 */
export function readWeights(): Tensors {
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve('nsfwjs');
  } catch (cause) {
    throw notInstalled('nsfwjs', cause);
  }
  const folder = join(dirname(entry), '../models/mobilenet_v2');
  // Modules that contain only data.
  const manifest = manifestSchema.parse(require(join(folder, 'model.min.js')));
  const bytes = Buffer.from(z.string().parse(require(join(folder, 'group1-shard1of1.min.js'))), 'base64');
  const tensors = new Map<string, Float32Array>();
  let at = 0;
  for (const { name, shape, quantization } of manifest.weightsManifest[0].weights) {
    const numbers = new Float32Array(shape.reduce((all, one) => all * one, 1));
    if (at + numbers.length > bytes.length) throw new Error('the weights of nsfwjs are truncated');
    for (let i = 0; i < numbers.length; i++)
      numbers[i] = bytes.readUInt8(at + i) * quantization.scale + quantization.min;
    tensors.set(name, numbers);
    at += numbers.length;
  }
  return tensors;
}
