import * as z from 'zod';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import { completionsToRead } from '../resources/completions/stored.ts';
import type { MetadataKeyList } from './api-types.ts';

/** How many of the newest completions are read. */
const maxCompletions = 500;
/** The most keys, and the most values of each, in a response. */
const maxSuggestions = 50;

export const metadataQuerySchema = z.strictObject({ project_id: z.string().optional() });

/** GET /console/api/metadata: the keys and values of the metadata of the newest completions, those of most completions first. */
export async function readMetadata(
  call: Call<undefined, z.output<typeof metadataQuerySchema>>,
  server: ServerContext,
): Promise<Reply> {
  const completions = await completionsToRead(call, server);
  const page = await completions.listSummaries({ limit: maxCompletions, order: 'desc' });
  const counts = new Map<string, Map<string, number>>();
  for (const { metadata } of page?.items ?? []) {
    for (const [key, value] of Object.entries(metadata ?? {})) {
      const values = counts.get(key) ?? new Map<string, number>();
      counts.set(key, values.set(value, (values.get(value) ?? 0) + 1));
    }
  }
  const total = (values: ReadonlyMap<string, number>): number => [...values.values()].reduce((a, b) => a + b, 0);
  const body: MetadataKeyList = {
    keys: mostFrequent(new Map([...counts].map(([key, values]) => [key, total(values)]))).map((key) => ({
      key,
      values: mostFrequent(counts.get(key) ?? new Map()),
    })),
  };
  return { status: 200, body };
}

function mostFrequent(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, maxSuggestions)
    .map(([text]) => text);
}
