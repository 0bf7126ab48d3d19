import { isRecord, isTokenCount } from '@modelwire/adapter-kit';
import type { ServiceTier, TokenLogprob, TopLogprob, UrlCitationAnnotation } from '@modelwire/schema/types';
import type { ChatEvent } from '@modelwire/ports';
import { objectItems } from '../requests/json.ts';

type Fields = Readonly<Record<string, unknown>>;

const tiers: readonly ServiceTier[] = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'];

type Meta = Extract<ChatEvent, { type: 'meta' }>;

/** The properties of the reply in a chunk; undefined if it has none. */
export function readMeta(chunk: Fields): Meta | undefined {
  const { system_fingerprint } = chunk;
  const service_tier = tiers.find((tier) => tier === chunk['service_tier']);
  if (typeof system_fingerprint !== 'string' && service_tier === undefined) return undefined;
  return {
    type: 'meta',
    ...(typeof system_fingerprint === 'string' && { system_fingerprint }),
    ...(service_tier !== undefined && { service_tier }),
  };
}

/** Servers repeat these properties in every chunk. */
export function hasNewMeta(meta: Meta, previous: Meta | undefined): boolean {
  return meta.system_fingerprint !== previous?.system_fingerprint || meta.service_tier !== previous?.service_tier;
}

export function readLogprobs(list: unknown): readonly TokenLogprob[] {
  return objectItems(list).map((fields) => ({
    ...readTopLogprob(fields),
    top_logprobs: objectItems(fields['top_logprobs']).map(readTopLogprob),
  }));
}

function readTopLogprob({ token, logprob, bytes }: Fields): TopLogprob {
  return {
    token: typeof token === 'string' ? token : '',
    // The minimum of the API for unknown values (API: Limits).
    logprob: typeof logprob === 'number' ? logprob : -9999,
    bytes: Array.isArray(bytes) ? bytes.filter((byte) => typeof byte === 'number') : null,
  };
}

/** Sources that a server cites. Sources without a position in the text are omitted. */
export function readAnnotations(list: unknown): readonly UrlCitationAnnotation[] {
  return objectItems(list).flatMap(({ type, url_citation: citation }): UrlCitationAnnotation[] => {
    if (type !== 'url_citation' || !isRecord(citation)) return [];
    const { start_index, end_index, title, url } = citation;
    if (!isTokenCount(start_index) || !isTokenCount(end_index) || typeof url !== 'string') return [];
    return [{ type, url_citation: { start_index, end_index, title: typeof title === 'string' ? title : '', url } }];
  });
}
