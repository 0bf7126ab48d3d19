import type { TranscriptStore, Transcript } from '../../context.ts';
import type { ResolvedServerOptions } from '../../options/options.ts';
import { sha256 } from '../../digest.ts';
import { singleChunk } from '../files/storage.ts';
import type { Clock } from '@modelwire/ports';
import { BlobMissingError, ContentCorruptedError } from '@modelwire/ports';

/** Stored in the blob store if there is one, for all replicas and across restarts; otherwise in memory. */
export function createTranscriptStore({
  blobs,
  stores,
  report,
  observer,
  clock,
}: Pick<ResolvedServerOptions, 'blobs' | 'stores' | 'report' | 'observer' | 'clock'>): TranscriptStore {
  if (!blobs || !stores) return memoryTranscripts(clock);
  function corrupted(key: string): ContentCorruptedError {
    const error = new ContentCorruptedError(key);
    report('stored contents are damaged', error);
    observer?.contentCorrupted?.();
    return error;
  }
  return {
    async save(project, id, text) {
      const key = await keyOf(project, id);
      // No record takes the reservation, so the bytes are removed when it expires.
      await stores.ledger.reserve(key, text.expires_at * 1000 - clock.now());
      const json = JSON.stringify(text);
      // No record refers to it: its digest is stored with it.
      await blobs.write(key, singleChunk(new TextEncoder().encode(`${await sha256(json)}${json}`)));
    },
    async find(project, id) {
      try {
        const key = await keyOf(project, id);
        const decoder = new TextDecoder();
        let stored = '';
        for await (const chunk of blobs.read(key)) stored += decoder.decode(chunk, { stream: true });
        const json = stored.slice(digestLength);
        if (stored.slice(0, digestLength) !== (await sha256(json))) throw corrupted(key);
        return JSON.parse(json) as Transcript;
      } catch (error) {
        if (error instanceof BlobMissingError) return undefined;
        throw error;
      }
    },
  };
}

/** A key that can only be derived from both the project and the ID. */
async function keyOf(project: string, id: string): Promise<string> {
  return `blob_${(await sha256(`spoken\0${project}\0${id}`)).slice(0, 32)}`;
}

const digestLength = 64;

/** Maximum number of characters in the memory of a server without blobs. */
const maxMemoryCharacters = 4 * 1024 * 1024;

function memoryTranscripts(clock: Clock): TranscriptStore {
  const transcripts = new Map<string, Transcript>();
  let totalCharacters = 0;
  function remove(key: string): void {
    totalCharacters -= transcripts.get(key)?.transcript.length ?? 0;
    transcripts.delete(key);
  }
  return {
    async save(project, id, text) {
      transcripts.set(await keyOf(project, id), text);
      totalCharacters += text.transcript.length;
      for (const [key, { expires_at }] of transcripts) {
        if (totalCharacters <= maxMemoryCharacters && expires_at * 1000 > clock.now()) break;
        remove(key);
      }
    },
    find: async (project, id) => transcripts.get(await keyOf(project, id)),
  };
}
