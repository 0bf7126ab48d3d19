import type { IncomingMessage } from 'node:http';
import { nodeListener } from '@modelwire/server/node';
import { webSocketUpgrades } from '@modelwire/server/websocket';
import type { WebSocketUpgrades } from '@modelwire/server/websocket';
import { chatScript } from '../replies/chat-script.ts';
import { createRuleSet, describeUsage } from '../replies/rule-set.ts';
import { chatRuleSchema } from '../replies/rules.ts';
import { moderationRuleSchema, videoRuleSchema } from '../replies/job-rules.ts';
import type { ChatRule, ModerationRule, ReplyFunction, VideoRule } from '../replies/types.ts';
import { parseScript } from '../script.ts';
import type { SimpleFault } from '../script.ts';
import * as z from 'zod';
import { createInProcessFetch } from './fetch.ts';
import { listen } from './listen.ts';
import { applyFaults } from '../faults/apply-faults.ts';
import { toFetchResponse } from '../faults/deliver.ts';
import { createReorderBuffer } from '../faults/reorder.ts';
import { faultyListener } from '../faults/node-faults.ts';
import { parseFaultRequest, createFaultPlan } from '../faults/plan.ts';
import { faultSchema } from '../faults/schema.ts';
import type { Fault } from '../faults/types.ts';
import { recordRequests } from './record-requests.ts';
import { recordSessions } from './record-sessions.ts';
import { parseOptions } from './options.ts';
import type { TestServerOptions } from './options.ts';
import { createClockAndIds } from './clock-and-ids.ts';
import { UnmatchedRequestError } from './unmatched-request-error.ts';
import { createRequestLog } from './requests.ts';
import type { TestRequest } from './requests.ts';
import { createScriptedServer } from './scripted-server.ts';

/** A server whose replies are scripted. */
export interface TestServer extends AsyncDisposable {
  /** The base URL for clients, with `/v1`. Without a port, it works with `fetch` only. */
  readonly baseURL: string;
  readonly apiKey: string;
  /** A `fetch` for clients in this process, which needs no port. All hosts lead to this server. */
  readonly fetch: typeof globalThis.fetch;
  /** The requests, in order. */
  readonly requests: readonly TestRequest[];
  /** Errors of requests that matched no rule, and of invalid rules. */
  readonly unmatched: readonly Error[];
  /** Adds rules before the existing ones, until the next `reset`. */
  reply(...rules: (ChatRule | string | ReplyFunction)[]): void;
  moderate(...rules: ModerationRule[]): void;
  video(...rules: VideoRule[]): void;
  /** Adds faults, until the next `reset`. */
  fault(...faults: (Fault | SimpleFault)[]): void;
  /** @throws {UnmatchedRequestError} when a request matched no rule or an invalid one. */
  assertAllMatched(): void;
  /** @throws {UnmatchedRequestError} when a rule or a fault was not used up, or a request matched no rule. */
  assertAllUsed(): void;
  /** Restores the initial state: rules, requests, and all stored data. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a server with scripted engines in this process, on a port of 127.0.0.1 unless `port` is false.
 *
 * @throws {ScriptError} for invalid options, with the problems and their paths.
 */
export async function startTestServer(init: TestServerOptions = {}): Promise<TestServer> {
  const options = parseOptions(init);
  const requests = createRequestLog(options.maxRequests);
  const scripts = {
    chat: chatScript(options.replies),
    moderation: createRuleSet(options.moderations, 'moderations', ({ times }) => times),
    video: createRuleSet(options.videos, 'videos', ({ times }) => times),
    faults: createFaultPlan(options.faults),
  };
  const { faults } = scripts;
  const reorder = createReorderBuffer();
  let unmatched: Error[] = [];
  const clockAndIds = createClockAndIds(options);
  const start = () => createScriptedServer(options, scripts, clockAndIds, (error) => unmatched.push(error));
  let running = start();
  let mounted = nodeListener(running.server);
  let sockets = openSockets(running.server);

  function openSockets(server: typeof running.server): WebSocketUpgrades {
    return webSocketUpgrades({
      responseSessions: recordSessions(server.responseSessions, requests),
      report: server.report,
    });
  }
  const handleRequest = async (request: Request): Promise<Response> => running.server.fetch(request);
  const { port, host, apiKey } = options;
  const listener = recordRequests(
    requests,
    faultyListener({
      plan: faults,
      reorder,
      handleRequest,
      listener: (request, response) => mounted(request, response),
    }),
  );
  const upgrades = {
    accepts: (request: IncomingMessage) => sockets.accepts(request),
    listener: (...upgrade: Parameters<WebSocketUpgrades['listener']>) => sockets.listener(...upgrade),
  };
  const listening = port === false ? undefined : await listen(listener, { port, host, upgrades }).catch(notListening);
  async function notListening(error: unknown): Promise<never> {
    await running.close();
    throw error;
  }
  const baseURL = `${listening?.url ?? 'http://modelwire.test'}/v1`;
  async function handle(request: Request, text: string | undefined): Promise<Response> {
    if (faults.isSpent()) return handleRequest(request);
    const { method, url, signal } = request;
    const requestFaults = faults.faultsFor(parseFaultRequest(method, url, text, signal));
    return toFetchResponse(
      await applyFaults({ faults: requestFaults, handleRequest: () => handleRequest(request), reorder, signal }),
      signal,
    );
  }
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await sockets.close();
    await listening?.close();
    await running.close();
  };
  return {
    baseURL,
    apiKey,
    fetch: createInProcessFetch({ baseURL, requests, handle }),
    get requests() {
      return requests.list();
    },
    get unmatched() {
      return unmatched;
    },
    reply: (...rules) => scripts.chat.ruleSet.add(parseScript(z.array(chatRuleSchema), rules)),
    moderate: (...rules) => scripts.moderation.add(parseScript(z.array(moderationRuleSchema), rules)),
    video: (...rules) => scripts.video.add(parseScript(z.array(videoRuleSchema), rules)),
    fault: (...more) => faults.add(parseScript(z.array(faultSchema), more)),
    assertAllMatched: () => assertNone(unmatched.map(({ message }) => message)),
    assertAllUsed() {
      const ruleSets = [scripts.chat.ruleSet, scripts.moderation, scripts.video];
      const unused = ruleSets
        .flatMap((ruleSet) => [...ruleSet.rules()])
        .filter(({ used, limit }) => used < (limit ?? 1))
        .map((one) => `${one.name} was not used up: ${describeUsage(one)}`);
      const unusedFaults = faults.unused().map(({ fault }) => `the fault '${fault}' was not used`);
      assertNone([...unmatched.map(({ message }) => message), ...unused, ...unusedFaults]);
    },
    async reset() {
      const previous = running;
      await sockets.close();
      scripts.chat.ruleSet.reset();
      scripts.moderation.reset();
      scripts.video.reset();
      faults.reset();
      clockAndIds.reset();
      running = start();
      mounted = nodeListener(running.server);
      sockets = openSockets(running.server);
      requests.clear();
      unmatched = [];
      await previous.close();
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

function assertNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new UnmatchedRequestError(problems.join('\n'));
}
