import type { CompletionUsage, TokenLogprob } from '@modelwire/schema/types';
import type { ChatEngine, ChatEvent, ChatRequest } from '@modelwire/ports';
import { chatRequest } from '@modelwire/ports/testing';

/** A request to the simulator with the API's defaults. */
export function request(prompt: string | ChatRequest['messages'], overrides: Partial<ChatRequest> = {}): ChatRequest {
  return chatRequest({
    model: 'simulator',
    messages: typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt,
    service_tier: 'default',
    tool_choice: overrides.tools ? 'auto' : 'none',
    ...overrides,
  });
}

/** The items that the engine yields, each an event or an array of events. A reply that is ready immediately is one array. */
export async function* yieldedItems(
  engine: ChatEngine,
  params: ChatRequest,
  signal = new AbortController().signal,
): AsyncGenerator<ChatEvent | readonly ChatEvent[], void, undefined> {
  const model = engine.models().find(({ id }) => id === params.model);
  if (model === undefined) throw new Error(`no model ${params.model}`);
  const requestBody = { model: params.model, messages: [...params.messages], stream: true as const };
  const generated = engine.generate(params, { requestId: 'req_test', project: 'test', model, requestBody, signal });
  if (Symbol.asyncIterator in generated) yield* generated;
  else yield generated;
}

export async function* events(...params: Parameters<typeof yieldedItems>): AsyncGenerator<ChatEvent, void, undefined> {
  for await (const some of yieldedItems(...params)) {
    if ('type' in some) yield some;
    else yield* some;
  }
}

async function* eventsOfChoices(engine: ChatEngine, params: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
  for (let choice = 0; choice < params.n; choice++) {
    const seed = params.seed === undefined ? undefined : Number(params.seed) + choice;
    for await (const event of events(engine, { ...params, n: 1, seed })) {
      yield 'choice' in event ? { ...event, choice } : event;
    }
  }
}

export interface Collected {
  readonly all: ChatEvent[];
  readonly texts: string[];
  /** The calls of each choice: name, input and ID. */
  readonly calls: { name: string; input: string; id: string }[][];
  readonly finishes: string[];
  readonly tokens: number[];
  readonly logprobs: TokenLogprob[][];
  /** The usage of the first choice. */
  readonly usage: CompletionUsage | undefined;
  readonly fingerprint: string | undefined;
}

/** Runs a request to its end and puts each choice together. Like the server, it calls the engine for each choice, with seeds of their own. */
export async function collect(engine: ChatEngine, params: ChatRequest): Promise<Collected> {
  const all: ChatEvent[] = [];
  const empty = <T>(make: () => T): T[] => Array.from({ length: params.n }, make);
  const [texts, finishes] = [empty(() => ''), empty(() => '')];
  const [tokens, logprobs] = [empty(() => 0), empty((): TokenLogprob[] => [])];
  const calls = empty((): Collected['calls'][number] => []);
  let usage: Collected['usage'];
  let fingerprint: string | undefined;
  for await (const event of eventsOfChoices(engine, params)) {
    all.push(event);
    if (event.type === 'text') {
      texts[event.choice] = (texts[event.choice] ?? '') + event.text;
      tokens[event.choice] = (tokens[event.choice] ?? 0) + (event.tokens ?? 1);
      logprobs[event.choice]?.push(...(event.logprobs ?? []));
    } else if (event.type === 'tool_call') {
      calls[event.choice]?.push({ name: event.name, input: '', id: event.id });
    } else if (event.type === 'tool_input') {
      const call = calls[event.choice]?.[event.index];
      if (call === undefined) throw new Error('input without a call');
      call.input += event.text;
    } else if (event.type === 'finish') finishes[event.choice] = event.reason;
    else if (event.type === 'usage') usage ??= event.usage;
    else if (event.type === 'meta') fingerprint = event.system_fingerprint;
  }
  return { all, texts, calls, finishes, tokens, logprobs, usage, fingerprint };
}
