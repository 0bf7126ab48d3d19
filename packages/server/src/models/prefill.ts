import type { ChatEngine, ChatModel } from '@modelwire/ports';

/** How a model answered a prompt that ends with the start of its reply. */
export type PrefillAnswer = 'continued' | 'began again' | 'unclear' | 'refused';

/** Whether a model continues the start of its reply. */
export interface Prefill {
  readonly isSupported: boolean;
  report(answer: PrefillAnswer): void;
}

/** How often in succession a model may begin again. Models do that by chance, too. */
const maxIgnored = 2;

/** What models did with the starts of their replies. Those that ignore or refuse them receive an instruction instead. */
export class PrefillMemory {
  readonly #ignored = new WeakMap<ChatEngine, Map<string, number>>();

  of(engine: ChatEngine, { id, capabilities: { assistant_prefill: declared } }: ChatModel): Prefill {
    const ignored = this.#ignored.get(engine) ?? new Map<string, number>();
    this.#ignored.set(engine, ignored);
    return {
      get isSupported() {
        return declared !== false && (ignored.get(id) ?? 0) < maxIgnored;
      },
      report(answer) {
        if (answer === 'continued') ignored.delete(id);
        else if (answer === 'refused') ignored.set(id, maxIgnored);
        // A model whose server is known to continue may fail nevertheless.
        else if (answer === 'began again' || declared === undefined) ignored.set(id, (ignored.get(id) ?? 0) + 1);
      },
    };
  }
}
