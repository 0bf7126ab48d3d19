import { answerParent } from '../child.ts';
import { median } from '../statistics.ts';
import { streamOf } from '../stream-of.ts';
import { cases } from './cases.ts';
import type { Case } from './cases.ts';
import { decoders, isDecoderName } from './decoders.ts';
import type { Decoder } from './decoders.ts';

/** Decodes a case repeatedly for `ms`. Replies with the median time of one decode in milliseconds. */
export interface DecodeQuestion {
  readonly decoder: string;
  readonly name: string;
  readonly ms: number;
}

const known = new Map(cases().map((one) => [one.name, one]));

answerParent(async (question): Promise<number> => {
  const { decoder, name, ms } = question as DecodeQuestion;
  const one = known.get(name);
  if (!one || !isDecoderName(decoder)) throw new Error(`there is no ${decoder} or no ${name}`);
  const times: number[] = [];
  const until = performance.now() + ms;
  do times.push(await timed(decoders[decoder].decode, one));
  while (performance.now() < until || times.length < 3);
  return median(times);
});

async function timed(decode: Decoder, { chunks, events, name }: Case): Promise<number> {
  const body = streamOf(chunks);
  const began = performance.now();
  const count = await decode(body);
  const took = performance.now() - began;
  if (count !== events) throw new Error(`${count} events in case ${name} instead of ${events}`);
  return took;
}
