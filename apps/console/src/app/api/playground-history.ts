import { fieldOf, listOf, parseJson } from './parsed-json.ts';
import { personalStorage } from './personal-storage.ts';

const storageName = 'playground-history';
const maxEntries = 20;
/** In characters. Conversations with larger attachments are not kept. */
const maxEntryLength = 100_000;

/** A conversation that was sent from the playground of this browser. */
export interface HistoryEntry {
  readonly id: string;
  /** When its last reply ended, in Unix seconds. */
  readonly at: number;
  readonly title: string;
  /** The set-up and the messages, as JSON. */
  readonly shared: string;
}

/** The last conversations, newest first. */
export function readHistory(): readonly HistoryEntry[] {
  return listOf(parseJson(personalStorage.read(storageName) ?? '')).filter(isEntry);
}

/** Adds a conversation, or replaces its previous state. */
export function addToHistory(entry: HistoryEntry): void {
  if (entry.shared.length > maxEntryLength) return;
  const others = readHistory().filter(({ id }) => id !== entry.id);
  personalStorage.write(storageName, JSON.stringify([entry, ...others].slice(0, maxEntries)));
}

export function clearHistory(): void {
  personalStorage.remove(storageName);
}

function isEntry(value: unknown): value is HistoryEntry {
  const hasTexts = ['id', 'title', 'shared'].every((name) => typeof fieldOf(value, name) === 'string');
  return hasTexts && typeof fieldOf(value, 'at') === 'number';
}
