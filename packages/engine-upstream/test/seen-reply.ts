import { expect, onTestFinished } from 'vitest';
import type { ChatEvent } from '@modelwire/ports';
import { engineRequest, drainStream, collectEvents, rejection } from './engine-request.ts';
import type { EngineRequest } from './engine-request.ts';
import { chunk, frames, startEventStream } from './fake-server.ts';
import type { RequestHandler } from './fake-server.ts';
import { startUpstream } from './start-upstream.ts';
import type { UpstreamOptions } from '../src/presets/options.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a client sees of a reply with one choice. */
interface SeenReply {
  text?: string;
  reasoning?: string;
  refusal?: string;
  calls?: { id: string; name: string; input: string }[];
  reason?: string;
  usage?: readonly number[];
}

const tools = ['get_weather', 'get_time', 'ping'].map((name) => ({ type: 'function', function: { name } }) as const);

export async function start(handler: RequestHandler, options: Partial<UpstreamOptions> = {}) {
  const { engine } = await startUpstream(handler, { name: 'box' }, { retries: 0, ...options });
  onTestFinished(() => engine.close?.());
  return engine;
}

export const request = (body: Record<string, unknown> = {}): EngineRequest => engineRequest(body, undefined, { tools });

export const stream =
  (...payloads: readonly (string | object)[]): RequestHandler =>
  (response) =>
    startEventStream(response).end(
      frames(...payloads.map((payload) => (typeof payload === 'string' ? payload : JSON.stringify(payload))), '[DONE]'),
    );

/** The reply as a client of the relayed stream assembles it, and as the events say it: both must be the same. */
export async function seen(handler: RequestHandler): Promise<SeenReply> {
  const engine = await start(handler);
  const { payloads, error } = await drainStream(engine, request({ stream: true }));
  if (error !== undefined) throw error as Error;
  const relayed = fromChunks(payloads);
  const events = fromEvents(await collectEvents(engine, request()));
  expect(normalIds(events)).toEqual(normalIds(relayed));
  return relayed;
}

/** The errors of both paths, which must be the same. */
export async function failure(handler: RequestHandler, options?: Partial<UpstreamOptions>) {
  const engine = await start(handler, options);
  const { error } = await drainStream(engine, request({ stream: true }));
  const ofEvents = await rejection(collectEvents(engine, request()));
  expect(error).toMatchObject({ status: ofEvents.status, code: ofEvents.code, message: ofEvents.message });
  return ofEvents;
}

export const generatedId = /^call_[\da-f-]{36}$/;

function normalIds(reply: SeenReply): SeenReply {
  return {
    ...reply,
    ...(reply.calls && {
      calls: reply.calls.map((call) => ({ ...call, id: call.id.replace(generatedId, 'generated') })),
    }),
  };
}

export function fromChunks(payloads: readonly string[]): SeenReply {
  const reply: SeenReply = {};
  for (const payload of payloads) {
    const { choices, usage } = JSON.parse(payload) as { choices: Fields[]; usage?: Record<string, number> };
    if (usage) reply.usage = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) => usage[name] ?? -1);
    for (const { index, delta, finish_reason: reason } of choices) {
      expect(index).toBe(0);
      addDelta(reply, delta as Fields);
      if (typeof reason === 'string') reply.reason = reason;
    }
  }
  return reply;
}

function addDelta(reply: SeenReply, delta: Fields): void {
  for (const [field, name] of [
    ['text', 'content'],
    ['reasoning', 'reasoning_content'],
    ['refusal', 'refusal'],
  ] as const) {
    const piece = delta[name];
    if (typeof piece === 'string' && piece !== '') reply[field] = (reply[field] ?? '') + piece;
    else expect(piece ?? '').toBe('');
  }
  for (const call of (delta['tool_calls'] ?? []) as { index: number; id: string; function: Record<string, string> }[]) {
    const calls = (reply.calls ??= []);
    const { name, arguments: input = '' } = call.function;
    expect(input).toBeTypeOf('string');
    const known = calls[call.index];
    if (known) known.input += input;
    else calls[call.index] = { id: call.id, name: name ?? '', input };
  }
}

export function fromEvents(events: readonly ChatEvent[]): SeenReply {
  const reply: SeenReply = {};
  for (const event of events) {
    if (event.type === 'text' && event.text !== '') reply.text = (reply.text ?? '') + event.text;
    if (event.type === 'refusal') reply.refusal = (reply.refusal ?? '') + event.text;
    if (event.type === 'extra') reply.reasoning = (reply.reasoning ?? '') + String(event.delta['reasoning_content']);
    if (event.type === 'tool_call') (reply.calls ??= [])[event.index] = { id: event.id, name: event.name, input: '' };
    if (event.type === 'tool_input') {
      const call = reply.calls?.[event.index];
      if (!call) throw new Error('input before its call');
      call.input += event.text;
    }
    if (event.type === 'finish') reply.reason = event.reason;
    if (event.type === 'usage') {
      const { prompt_tokens, completion_tokens, total_tokens } = event.usage;
      reply.usage = [prompt_tokens, completion_tokens, total_tokens];
    }
  }
  return reply;
}

export const hel = chunk({ role: 'assistant', content: 'Hel' });
export const lo = chunk({ content: 'lo' });
export const stop = chunk({}, 'stop');
export const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
