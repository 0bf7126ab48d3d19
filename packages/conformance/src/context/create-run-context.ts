import { pause } from '../exchange/pause.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { createSender } from '../exchange/sender.ts';
import type { Settings } from '../options.ts';
import { createCleanup } from './cleanup.ts';
import { memo } from './memo.ts';
import { findChatModel } from './models.ts';
import { probeEndpoint } from './probe-endpoint.ts';
import type { EndpointAvailability, RunContext } from './run-context.ts';

/** `runSignal` aborts when the run ends. */
export function createRunContext(settings: Settings, runSignal: AbortSignal): RunContext {
  const cleanup = createCleanup(settings.onCreated);
  const sender = createSender(settings, runSignal, cleanup.record);
  const responses = memo<CompleteResponse>();
  const objects = memo<string>();
  const endpoints = memo<EndpointAvailability>();
  const context: RunContext = {
    runId: `mwc${settings.seed}`,
    settings,
    stats: sender.stats,
    cleanup,
    detectedModels: {},
    send: (call) => sender.send(call),
    settle: () => sender.settle(),
    sendOnce: (name, call) => responses(name, async () => sender.send(await call())),
    createOnce: objects,
    chatModel: () =>
      objects('the chat model', async () => (context.detectedModels.chat = await findChatModel(context))),
    probe: (endpoint) => endpoints(endpoint, () => probeEndpoint(context, endpoint)),
    pause: (ms) => pause(ms, runSignal),
  };
  return context;
}
