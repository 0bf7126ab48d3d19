import type { DocumentReader, Outcome } from './document-reader.ts';
import type { Rejection } from './valid-prefix.ts';

/**
 * Reads a text in several ways at once: as a whole document, as the rest of one. The first way that is not rejected counts, and once something
 * was taken from it, it alone.
 */
export class Alternatives implements DocumentReader {
  #readers: readonly DocumentReader[];
  readonly #first: DocumentReader;

  constructor(readers: readonly [DocumentReader, ...DocumentReader[]]) {
    this.#readers = readers;
    this.#first = readers[0];
  }

  /** The first way that is not rejected. */
  get leader(): DocumentReader {
    return this.#readers.find(({ rejection }) => !rejection) ?? this.#readers.at(-1) ?? this.#first;
  }

  get rejection(): Rejection | undefined {
    return this.leader.rejection;
  }

  get hasRepeated(): boolean {
    return this.leader.hasRepeated;
  }

  get canonical(): string {
    return this.leader.canonical;
  }

  get text(): string {
    return this.leader.text;
  }

  rest(): DocumentReader {
    return this.leader.rest();
  }

  write(text: string): void {
    for (const reader of this.#readers) if (!reader.rejection) reader.write(text);
  }

  take(): string {
    const leader = this.leader;
    if (!leader.hasRepeated) return '';
    const taken = leader.take();
    if (taken !== '') this.#readers = [leader];
    return taken;
  }

  end(): Outcome | undefined {
    for (const reader of this.#readers) {
      const outcome = reader.rejection ? undefined : reader.end();
      if (!outcome || !reader.hasRepeated) continue;
      this.#readers = [reader];
      return outcome;
    }
    return undefined;
  }
}
