import { maxCount, toCount } from '@modelwire/adapter-kit/internal';
import type { CompletionUsage } from '@modelwire/schema/types';

/** Prices of a model, in units of the currency. */
interface ModelPrice {
  /** For a million input tokens. Default 0. */
  readonly input?: number | undefined;
  /** For a million input tokens that were read from a cache. Default: `input`. */
  readonly cachedInput?: number | undefined;
  /** For a million output tokens. Default 0. */
  readonly output?: number | undefined;
  /** For a million reasoning tokens, which are output tokens too. Default: `output`. */
  readonly reasoning?: number | undefined;
  /** For each request. Default 0. */
  readonly request?: number | undefined;
  /** For each second of a video. Default: the model has no price for videos. */
  readonly videoSecond?: number | undefined;
}

export interface PriceTable {
  /** Shown in reports. Default `usd`. */
  readonly currency?: string | undefined;
  /** By the ID of the model; `*` is the price of all others. */
  readonly models: Readonly<Record<string, ModelPrice>>;
}

/** Computes costs in millionths of the currency. */
export interface Prices {
  readonly currency: string;
  /** Undefined for a model without a price. Rounded to the nearest millionth; at most `maxCount`. */
  costOf(model: string, usage: CompletionUsage | undefined): number | undefined;
  /** Undefined for a model without a price of videos. */
  costOfVideo(model: string, seconds: number): number | undefined;
}

/** Millionths of the currency for a million tokens, which are millionths of a millionth for one. */
interface Rates {
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly output: bigint;
  readonly reasoning: bigint;
  /** Millionths of a millionth for a request. */
  readonly request: bigint;
  /** Millionths of the currency for a second. */
  readonly videoSecond: bigint | undefined;
}

/** The prices of a server without a price table. */
export const noPrices: Prices = { currency: 'usd', costOf: () => undefined, costOfVideo: () => undefined };

const million = 1_000_000n;

/** @throws TypeError for a price that is negative or not a number. */
export function createPrices({ currency = 'usd', models }: PriceTable): Prices {
  const rates = new Map(Object.entries(models).map(([model, price]) => [model, ratesOf(model, price)]));
  const rateOf = (model: string): Rates | undefined => rates.get(model) ?? rates.get('*');
  return {
    currency,
    costOf(model, usage) {
      const rate = rateOf(model);
      return rate && Number(roundedCost(rate, usage));
    },
    costOfVideo(model, seconds) {
      const rate = rateOf(model);
      if (rate?.videoSecond === undefined) return undefined;
      return toCount(Number(rate.videoSecond) * seconds + Number(rate.request / million));
    },
  };
}

function roundedCost(rate: Rates, usage: CompletionUsage | undefined): bigint {
  const input = toBigInt(usage?.prompt_tokens);
  const output = toBigInt(usage?.completion_tokens);
  const cached = min(toBigInt(usage?.prompt_tokens_details?.cached_tokens), input);
  const reasoning = min(toBigInt(usage?.completion_tokens_details?.reasoning_tokens), output);
  const exact =
    (input - cached) * rate.input +
    cached * rate.cachedInput +
    (output - reasoning) * rate.output +
    reasoning * rate.reasoning +
    rate.request;
  return min((exact + million / 2n) / million, BigInt(maxCount));
}

const toBigInt = (count = 0): bigint => BigInt(toCount(count));
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function ratesOf(model: string, price: ModelPrice): Rates {
  const { input = 0, cachedInput = input, output = 0, reasoning = output, request = 0, videoSecond } = price;
  const micros = (amount: number, name: string): bigint => {
    if (!Number.isFinite(amount) || amount < 0 || amount > 1e6) {
      throw new TypeError(`prices: '${name}' of the model '${model}' must be a number from 0 to 1,000,000`);
    }
    return BigInt(Math.round(amount * 1e6));
  };
  return {
    input: micros(input, 'input'),
    cachedInput: micros(cachedInput, 'cachedInput'),
    output: micros(output, 'output'),
    reasoning: micros(reasoning, 'reasoning'),
    request: micros(request, 'request') * million,
    videoSecond: videoSecond === undefined ? undefined : micros(videoSecond, 'videoSecond'),
  };
}
