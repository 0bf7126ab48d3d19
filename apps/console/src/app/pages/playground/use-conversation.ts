import { AbortError } from '@modelwire/client';
import type { ChatCompletionMessageParam, TokenLogprob } from '@modelwire/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { listModelsOfKind } from '../../api/models.ts';
import { messagesOf, createTurn } from './conversation.ts';
import type { Generation, Turn } from './conversation.ts';
import { buildRequest } from './request.ts';
import type { Setup } from './setup.ts';

/** Interval of page updates while a reply is received. */
const updateIntervalMs = 60;

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly isRunning: boolean;
  /** Adds messages and generates a reply. */
  send(messages: readonly ChatCompletionMessageParam[]): void;
  /** Removes this turn and those after it, adds the messages, and generates a reply. */
  resend(turn: Turn, messages: readonly ChatCompletionMessageParam[]): void;
  stop(): void;
  /** Shows other messages in place of the conversation. */
  load(messages: readonly ChatCompletionMessageParam[]): void;
}

/**
 * The conversation with one model. Each request uses the set-up at the time when it is sent. One that is sent before a
 * model is known waits for the list of models.
 */
export function useConversation(
  setup: Setup,
  model: string,
  initialMessages: readonly ChatCompletionMessageParam[],
): Conversation {
  const [turns, setTurns] = useState<readonly Turn[]>(() => initialMessages.map((message) => createTurn(message)));
  const [isRunning, setIsRunning] = useState(false);
  const latest = useRef({ setup, model, turns });
  latest.current = { setup, model, turns };
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const run = useCallback((previousTurns: readonly Turn[]) => {
    controller.current?.abort();
    const abort = new AbortController();
    controller.current = abort;
    setIsRunning(true);
    const { setup, model } = latest.current;
    const update = (reply: Turn): void => {
      if (controller.current === abort) setTurns([...previousTurns, reply]);
    };
    void generate(setup, model, previousTurns, abort.signal, update).finally(() => {
      if (controller.current === abort) setIsRunning(false);
    });
  }, []);

  const send = useCallback(
    (messages: readonly ChatCompletionMessageParam[]) => {
      run([...latest.current.turns, ...messages.map((message) => createTurn(message))]);
    },
    [run],
  );
  const resend = useCallback(
    (turn: Turn, messages: readonly ChatCompletionMessageParam[]) => {
      const { turns } = latest.current;
      const previousTurns = turns.slice(0, turns.indexOf(turn));
      run([...previousTurns, ...messages.map((message) => createTurn(message))]);
    },
    [run],
  );
  const stop = useCallback(() => controller.current?.abort(), []);
  const load = useCallback((messages: readonly ChatCompletionMessageParam[]) => {
    controller.current?.abort();
    controller.current = undefined;
    setIsRunning(false);
    setTurns(messages.map((message) => createTurn(message)));
  }, []);
  return { turns, isRunning, send, resend, stop, load };
}

/** Generates a reply and reports it while it is received, at most every 60 ms. Never rejects: an error is stored in the turn. */
async function generate(
  setup: Setup,
  model: string,
  previousTurns: readonly Turn[],
  signal: AbortSignal,
  update: (reply: Turn) => void,
): Promise<void> {
  const startedAt = performance.now();
  const elapsedMs = (): number => performance.now() - startedAt;
  const logprobs: TokenLogprob[] = [];
  let text = '';
  let generation: Generation = { status: 'running', isStored: setup.store, logprobs };
  let turn = createTurn({ role: 'assistant', content: '' }, generation);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const updateTurn = (changes: Partial<Turn>): void => {
    clearTimeout(timer);
    timer = undefined;
    turn = { ...turn, ...changes };
    update(turn);
  };
  const flush = (): void => updateTurn({ message: { role: 'assistant', content: text }, generation });
  flush();
  try {
    const [firstModel = ''] = model === '' ? await listModelsOfKind('chat') : [model];
    const request = buildRequest(setup, firstModel, messagesOf(previousTurns));
    const stream = api.chat.completions.stream(request, { signal });
    for await (const event of stream) {
      if (event.type === 'logprobs.delta') logprobs.push(...event.content);
      if (event.type === 'content.delta') text += event.delta;
      if (event.type === 'content.delta' || event.type === 'tool_call.delta') {
        if (generation.firstTokenMs === undefined) generation = { ...generation, firstTokenMs: elapsedMs() };
        timer ??= setTimeout(flush, updateIntervalMs);
      }
    }
    const completion = await stream.final();
    const choice = completion.choices[0];
    const { content = null, tool_calls, refusal = null } = choice?.message ?? {};
    updateTurn({
      message: { role: 'assistant', content, ...(refusal !== null && { refusal }), ...(tool_calls && { tool_calls }) },
      generation: {
        ...generation,
        status: 'finished',
        durationMs: elapsedMs(),
        usage: completion.usage,
        finishReason: choice?.finish_reason,
        completionId: completion.id,
      },
    });
  } catch (error) {
    const isStopped = error instanceof AbortError || signal.aborted;
    updateTurn({
      message: { role: 'assistant', content: text },
      generation: { ...generation, status: isStopped ? 'stopped' : 'failed', error, durationMs: elapsedMs() },
    });
  }
}
