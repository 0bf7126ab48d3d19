import { SpanKind } from '@opentelemetry/api';
import type { Context, Span, Tracer } from '@opentelemetry/api';
import type {
  AttemptObservation,
  ChatEvent,
  GenerationObservation,
  GenerationOutcome,
  ObservedAttempt,
  ObservedGeneration,
} from '@modelwire/ports';
import { generationAttributes, generationOutcomeAttributes } from './attributes.ts';
import { inputMessages, OutputMessages } from './message-content.ts';
import { childContext, setError } from './spans.ts';

export interface GenerationSpanInit {
  readonly tracer: Tracer;
  readonly parent: Context;
  readonly capturesContent: boolean;
  readonly startAttempt: (attempt: ObservedAttempt, parent: Context) => AttemptObservation;
}

/** A generation of an engine, with the messages of its request and reply where these are captured. */
export class GenerationSpan implements GenerationObservation {
  readonly onEvent: ((event: ChatEvent) => void) | undefined;
  readonly #span: Span;
  readonly #output: OutputMessages | undefined;
  readonly #init: GenerationSpanInit;
  readonly #isStreamed: boolean;
  readonly #startedAt = performance.now();
  readonly #context: Context;

  constructor(generation: ObservedGeneration, init: GenerationSpanInit) {
    const { operation, model, isRemote, request, isStreamed } = generation;
    this.#init = init;
    this.#isStreamed = isStreamed;
    const options = {
      kind: isRemote ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: generationAttributes(generation),
    };
    this.#span = init.tracer.startSpan(`${operation} ${model}`, options, init.parent);
    this.#context = childContext(this.#span);
    if (!init.capturesContent || !request) return;
    this.#span.setAttribute('gen_ai.input.messages', inputMessages(request));
    const output = new OutputMessages();
    this.#output = output;
    this.onEvent = (event) => output.add(event);
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return this.#init.startAttempt(attempt, this.#context);
  }

  end(outcome: GenerationOutcome): void {
    const span = this.#span;
    const { error } = outcome;
    const attributes = generationOutcomeAttributes(outcome, this.#isStreamed ? this.#startedAt : undefined);
    if (this.#output) attributes['gen_ai.output.messages'] = this.#output.text();
    span.setAttributes(attributes);
    if (error !== undefined) setError(span, error);
    span.end();
  }
}
