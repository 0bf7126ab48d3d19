import { AbortError } from '@modelwire/client';
import type { ChatCompletionMessageParam, TokenLogprob } from '@modelwire/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { messagesOf, newTurn } from './conversation.ts';
import type { Generation, Turn } from './conversation.ts';
import { buildRequest } from './request.ts';
import type { Setup } from './setup.ts';

/** Between two updates of the page while a reply arrives. */
const flushMs = 60;

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly running: boolean;
  /** Adds messages and generates a reply. */
  send(messages: readonly ChatCompletionMessageParam[]): void;
  /** Removes this turn and those after it, adds the messages, and generates a reply. */
  resend(turn: Turn, messages: readonly ChatCompletionMessageParam[]): void;
  stop(): void;
  clear(): void;
}

/** The conversation with one model. The set-up that counts is the one at the time of each request. */
export function useConversation(
  setup: Setup,
  model: string,
  initial: readonly ChatCompletionMessageParam[],
): Conversation {
  const [turns, setTurns] = useState<readonly Turn[]>(() => initial.map((message) => newTurn(message)));
  const [running, setRunning] = useState(false);
  const current = useRef({ setup, model, turns });
  current.current = { setup, model, turns };
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const run = useCallback((before: readonly Turn[]) => {
    controller.current?.abort();
    const abort = new AbortController();
    controller.current = abort;
    setRunning(true);
    const { setup, model } = current.current;
    const update = (reply: Turn): void => {
      if (controller.current === abort) setTurns([...before, reply]);
    };
    void generate(setup, model, before, abort.signal, update).finally(() => {
      if (controller.current === abort) setRunning(false);
    });
  }, []);

  const send = useCallback(
    (messages: readonly ChatCompletionMessageParam[]) => {
      run([...current.current.turns, ...messages.map((message) => newTurn(message))]);
    },
    [run],
  );
  const resend = useCallback(
    (turn: Turn, messages: readonly ChatCompletionMessageParam[]) => {
      const { turns } = current.current;
      const before = turns.slice(0, turns.indexOf(turn));
      run([...before, ...messages.map((message) => newTurn(message))]);
    },
    [run],
  );
  const stop = useCallback(() => controller.current?.abort(), []);
  const clear = useCallback(() => {
    controller.current?.abort();
    controller.current = undefined;
    setRunning(false);
    setTurns([]);
  }, []);
  return { turns, running, send, resend, stop, clear };
}

/** Generates a reply and reports it while it arrives, at most every 60 ms. Never rejects: a failure is part of the turn. */
async function generate(
  setup: Setup,
  model: string,
  before: readonly Turn[],
  signal: AbortSignal,
  update: (reply: Turn) => void,
): Promise<void> {
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  const logprobs: TokenLogprob[] = [];
  let text = '';
  let generation: Generation = { status: 'running', stored: setup.store, logprobs };
  let turn = newTurn({ role: 'assistant', content: '' }, generation);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (changes: Partial<Turn>): void => {
    clearTimeout(timer);
    timer = undefined;
    turn = { ...turn, ...changes };
    update(turn);
  };
  const flush = (): void => set({ message: { role: 'assistant', content: text }, generation });
  flush();
  try {
    const stream = api.chat.completions.stream(buildRequest(setup, model, messagesOf(before)), { signal });
    for await (const event of stream) {
      if (event.type === 'logprobs.delta') logprobs.push(...event.content);
      if (event.type === 'content.delta') text += event.delta;
      if (event.type === 'content.delta' || event.type === 'tool_call.delta') {
        if (generation.firstTokenMs === undefined) generation = { ...generation, firstTokenMs: elapsed() };
        timer ??= setTimeout(flush, flushMs);
      }
    }
    const completion = await stream.final();
    const choice = completion.choices[0];
    const { content = null, tool_calls, refusal = null } = choice?.message ?? {};
    set({
      message: { role: 'assistant', content, ...(refusal !== null && { refusal }), ...(tool_calls && { tool_calls }) },
      generation: {
        ...generation,
        status: 'finished',
        durationMs: elapsed(),
        usage: completion.usage,
        finishReason: choice?.finish_reason,
        completionId: completion.id,
      },
    });
  } catch (error) {
    const stopped = error instanceof AbortError || signal.aborted;
    set({
      message: { role: 'assistant', content: text },
      generation: { ...generation, status: stopped ? 'stopped' : 'failed', error, durationMs: elapsed() },
    });
  }
}
