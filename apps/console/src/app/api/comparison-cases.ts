import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { parseCases } from './compared-case.ts';

const pageBytes = 256 * 1024;

/** The cases of a comparison, those that a scorer tells apart first: read from their file in ranges that end with a line. */
export function casesQuery(fileId: string) {
  return infiniteQueryOptions({
    queryKey: ['file', fileId, 'cases'],
    initialPageParam: 0,
    getNextPageParam: ({ end, has_more }: { readonly end: number; readonly has_more: boolean }) =>
      has_more ? end : undefined,
    queryFn: async ({ pageParam: start, signal }) => {
      const { bytes } = await api.files.retrieve(fileId, { signal });
      for (let length = pageBytes; ; length *= 2) {
        const end = Math.min(bytes, start + length);
        const response = await api.files.content(fileId, { signal, range: { start, end } });
        const content = new Uint8Array(await response.arrayBuffer());
        const lineEnd = content.lastIndexOf(0x0a) + 1;
        if (lineEnd === 0 && end < bytes) continue;
        const consumed = end === bytes ? content : content.subarray(0, lineEnd);
        const next = start + consumed.length;
        return { data: parseCases(new TextDecoder().decode(consumed)), end: next, has_more: next < bytes };
      }
    },
    staleTime: Infinity,
    structuralSharing: false,
  });
}
