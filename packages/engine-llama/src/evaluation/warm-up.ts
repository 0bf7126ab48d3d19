import type { LlamaModel } from 'node-llama-cpp';
import type { SlotPool } from '../slot-pool.ts';

/** Enough for the compute kernels of prompts, which differ from those of single tokens. */
const promptTokens = 64;

/**
 * Evaluates a prompt and samples one token. The first evaluation reads the weights from the file, and a GPU compiles its kernels, which can take
 * half a minute: otherwise the first request would wait for it.
 */
export async function warmUp(model: LlamaModel, pool: SlotPool, batchSize: number): Promise<void> {
  const count = model.gpuLayers > 0 ? batchSize : promptTokens;
  const tokens = model.tokenize('one two three four '.repeat(count)).slice(0, count);
  const slot = await pool.acquire(tokens, { project: '', key: undefined }, new AbortController().signal);
  try {
    const sampler = slot.sequence.evaluate(tokens, { temperature: 0, yieldEogToken: true });
    for (let step = 0; step < 2; step++) await sampler.next();
    await sampler.return();
    await slot.sequence.clearHistory();
  } finally {
    slot.release();
  }
}
