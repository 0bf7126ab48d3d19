// Runs in a separate thread: a sentence takes about 100 ms of CPU time, which would block all other requests.
import { parentPort } from 'node:worker_threads';
import { noBytes } from './encoding/encoder.ts';
import type { Encoder } from './encoding/encoder.ts';
import { openEncoder } from './encoding/formats.ts';
import type { Done, Order } from './protocol.ts';
import { sampleRate } from './synthesis/program.ts';
import { openSynthesizer } from './synthesis/synthesizer.ts';
import type { Synthesizer } from './synthesis/synthesizer.ts';

interface Running {
  readonly encoder: Encoder;
  samples: number;
}

const running = new Map<number, Running>();
let synthesiser: Synthesizer | undefined;

async function work(order: Order): Promise<Done> {
  if (order.type === 'begin') {
    const encoder = await openEncoder(order.format, { sampleRate, bitrate: order.bitrate });
    running.set(order.utterance, { encoder, samples: 0 });
    return { type: 'done', bytes: noBytes, samples: 0 };
  }
  const utterance = running.get(order.utterance);
  if (order.type === 'say') {
    if (!utterance) throw new Error('an utterance that was not begun');
    const samples = (synthesiser ??= openSynthesizer())(order.text, order.voice);
    utterance.samples += samples.length;
    return { type: 'done', bytes: await utterance.encoder.add(samples), samples: utterance.samples };
  }
  running.delete(order.utterance);
  // Also for abandoned utterances: encoders release their memory when they end.
  const bytes = (await utterance?.encoder.end()) ?? noBytes;
  return { type: 'done', bytes: order.type === 'end' ? bytes : noBytes, samples: utterance?.samples ?? 0 };
}

const port = parentPort;
port?.on('message', (order: Order) => {
  work(order).then(
    (done) => port.postMessage(done),
    (error: unknown) => {
      const failed: Done = { type: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
      port.postMessage(failed);
    },
  );
});
