import type { Check } from '../check.ts';
import { connectionChecks } from './chat/connections.ts';
import { conversationChecks } from './chat/conversation.ts';
import { limitChecks } from './chat/limits.ts';
import { parameterChecks } from './chat/parameters.ts';
import { streamChecks } from './chat/streams.ts';
import { toolStreamChecks } from './chat/tool-streams.ts';
import { formatChecks, toolChecks } from './chat/tools.ts';
import { nonStreamingChecks } from './chat/non-streaming.ts';

/** Create chat completion. */
export const chatChecks: readonly Check[] = [
  ...nonStreamingChecks,
  ...parameterChecks,
  ...limitChecks,
  ...conversationChecks,
  ...toolChecks,
  ...formatChecks,
  ...streamChecks,
  ...toolStreamChecks,
  ...connectionChecks,
];
