import { fieldOf, listOf, parseJson } from './parsed-json.ts';

const storageKey = 'modelwire-playground-history';
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

/** The last conversations of a key or person, newest first. */
export function readHistory(ownerId: string): readonly HistoryEntry[] {
  const history = parseJson(localStorage.getItem(storageKey) ?? '');
  return fieldOf(history, 'ownerId') === ownerId ? listOf(fieldOf(history, 'entries')).filter(isEntry) : [];
}

/** Adds a conversation of a key or person, or replaces its previous state. */
export function addToHistory(ownerId: string, entry: HistoryEntry): void {
  if (entry.shared.length > maxEntryLength) return;
  const others = readHistory(ownerId).filter(({ id }) => id !== entry.id);
  try {
    const entries = [entry, ...others].slice(0, maxEntries);
    localStorage.setItem(storageKey, JSON.stringify({ ownerId, entries }));
  } catch {
    // The storage of the browser is full: the history stays as it is.
  }
}

/** Removes the conversations of every other key and person. */
export function keepHistoryOf(ownerId: string): void {
  if (readHistory(ownerId).length === 0) clearHistory();
}

export function clearHistory(): void {
  localStorage.removeItem(storageKey);
}

function isEntry(value: unknown): value is HistoryEntry {
  const hasTexts = ['id', 'title', 'shared'].every((name) => typeof fieldOf(value, name) === 'string');
  return hasTexts && typeof fieldOf(value, 'at') === 'number';
}
