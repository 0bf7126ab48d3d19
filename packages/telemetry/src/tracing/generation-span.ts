import type { Span, Tracer } from '@opentelemetry/api';
import type {
  AttemptObservation,
  ChatEvent,
  GenerationObservation,
  GenerationOutcome,
  ObservedAttempt,
  ObservedGeneration,
} from '@modelwire/ports';
import { generationDescription, generationOutcomeAttributes } from './attributes.ts';
import { inputMessages, OutputMessages } from './message-content.ts';
import { setError, startChildSpan } from './spans.ts';

export interface GenerationSpanInit {
  readonly tracer: Tracer;
  readonly parent: Span;
  readonly capturesContent: boolean;
  readonly startAttempt: (attempt: ObservedAttempt, parent: Span) => AttemptObservation;
}

/** The span of a generation, with the messages of its request and reply if content is captured. */
export class GenerationSpan implements GenerationObservation {
  readonly onEvent: ((event: ChatEvent) => void) | undefined;
  readonly #span: Span;
  readonly #output: OutputMessages | undefined;
  readonly #init: GenerationSpanInit;
  readonly #isStreamed: boolean;
  readonly #startedAt = performance.now();

  constructor(generation: ObservedGeneration, init: GenerationSpanInit) {
    const { request, isStreamed } = generation;
    this.#init = init;
    this.#isStreamed = isStreamed;
    this.#span = startChildSpan(init.tracer, init.parent, generationDescription(generation));
    if (!init.capturesContent || !request) return;
    this.#span.setAttribute('gen_ai.input.messages', inputMessages(request));
    const output = new OutputMessages();
    this.#output = output;
    this.onEvent = (event) => output.add(event);
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return this.#init.startAttempt(attempt, this.#span);
  }

  end(outcome: GenerationOutcome): void {
    const span = this.#span;
    const { error } = outcome;
    span.setAttributes(generationOutcomeAttributes(outcome, this.#isStreamed ? this.#startedAt : undefined));
    if (this.#output) span.setAttribute('gen_ai.output.messages', this.#output.text());
    if (error !== undefined) setError(span, error);
    span.end();
  }
}
