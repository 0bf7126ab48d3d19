import type { UpstreamServer } from '../presets/options.ts';

/** The headers with the key of an upstream, and the version of its dialect. */
export function credentialHeaders({
  apiKey,
  dialect,
}: Pick<UpstreamServer, 'apiKey' | 'dialect'>): Readonly<Record<string, string>> {
  if (dialect === 'messages')
    return { 'anthropic-version': '2023-06-01', ...(apiKey !== undefined && { 'x-api-key': apiKey }) };
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}
