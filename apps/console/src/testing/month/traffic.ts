import { applications } from './applications.ts';
import type { Application, Exchange } from './applications.ts';
import type { Random } from './random.ts';

/** How a request ends: with the reply, with an error of the upstreams, or refused because of a mistake of its program. */
type Outcome = 'reply' | 'upstream_error' | 'unknown_model' | 'too_long';

export interface PlannedRequest {
  /** Milliseconds before now. */
  readonly agoMs: number;
  readonly application: Application;
  readonly key: string;
  readonly exchange: Exchange;
  readonly outcome: Outcome;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Requests by hour of the day: people shop after work. */
const hourWeights = [2, 1, 1, 1, 1, 2, 4, 7, 10, 12, 12, 11, 11, 11, 10, 10, 11, 13, 15, 16, 14, 11, 7, 4];
/** An outage of the upstreams, in milliseconds before now. */
const outage = { from: 6.3 * dayMs, to: 6.2 * dayMs };

/** About `count` requests over the last thirty days, oldest first, with more of them from week to week and fewer at weekends. */
export function planRequests(random: Random, nowMs: number, count: number): readonly PlannedRequest[] {
  const hours = Array.from({ length: 30 * 24 }, (_, index) => {
    const agoMs = (30 * 24 - index) * hourMs;
    const at = new Date(nowMs - agoMs);
    const isWeekend = at.getUTCDay() % 6 === 0;
    return { agoMs, weight: (hourWeights[at.getUTCHours()] ?? 1) * (isWeekend ? 0.45 : 1) * (1 + index / 1000) };
  });
  const total = hours.reduce((sum, { weight }) => sum + weight, 0);
  return hours
    .flatMap(({ agoMs, weight }) => {
      const isOutage = agoMs <= outage.from && agoMs >= outage.to;
      const expected = (count * weight) / total + (isOutage ? 6 : 0);
      const times = Array.from({ length: Math.floor(expected + random.next()) }, () => agoMs - random.next() * hourMs);
      return times.map((time) => plan(random, time, isOutage && random.next() < 0.6));
    })
    .toSorted((a, b) => b.agoMs - a.agoMs);
}

function plan(random: Random, agoMs: number, isUpstreamError: boolean): PlannedRequest {
  const application = pickApplication(random);
  const mistake = random.next();
  return {
    agoMs,
    application,
    key: random.pick(application.keys),
    exchange: application.exchange(random),
    outcome: isUpstreamError
      ? 'upstream_error'
      : mistake < 0.006
        ? 'unknown_model'
        : mistake < 0.011
          ? 'too_long'
          : 'reply',
  };
}

function pickApplication(random: Random): Application {
  let rest = random.next() * applications.reduce((sum, { share }) => sum + share, 0);
  return applications.find(({ share }) => (rest -= share) < 0) ?? applications[0];
}
