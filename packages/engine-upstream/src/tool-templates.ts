import { isRecord, parseJson } from '@modelwire/adapter-kit';
import { RequestError } from '@modelwire/ports';
import type { ChatRequest } from '@modelwire/ports';
import type { Server } from './connect.ts';
import type { Route, RoutedTarget } from './routing/route.ts';
import { decodedReply } from './replies/decoded-reply.ts';
import { exchange } from './exchange.ts';
import { readText } from './replies/reply-text.ts';

/** How long a result is cached: a server may be restarted with another model or template. */
const cacheTtlMs = 60_000;
const timeoutMs = 1_500;
const maxBytes = 1024 * 1024;

interface CachedResult {
  readonly expiresAt: number;
  readonly rendersTools: Promise<boolean>;
}

/**
 * Finds the upstreams that support tools with the tool choice `auto`. llama.cpp silently drops tools if the chat template of the model does not
 * render them; its path `/props` reports this as `chat_template_caps.supports_tools`.
 */
export function createToolTemplates(now: () => number): {
  /** Whether the model is free to call tools of the request. Otherwise all targets support it. */
  needsToolSupport(request: ChatRequest): boolean;
  /**
   * The route without the targets that would drop the tools of a request.
   *
   * @throws RequestError 400 `unsupported_parameter` if no target is left.
   */
  restrict(route: Route): Promise<Route>;
} {
  const cached = new Map<Server, Map<string, CachedResult>>();

  function rendersTools({ server, upstreamModel }: RoutedTarget): Promise<boolean> {
    if (server.settings.preset !== 'llama.cpp') return Promise.resolve(true);
    let serverCache = cached.get(server);
    if (!serverCache) cached.set(server, (serverCache = new Map<string, CachedResult>()));
    const cachedResult = serverCache.get(upstreamModel);
    if (cachedResult && cachedResult.expiresAt > now()) return cachedResult.rendersTools;
    const rendersTools = requestRendersTools(server, upstreamModel).catch(() => {
      // If the server fails, the request itself will report the error.
      serverCache.delete(upstreamModel);
      return true;
    });
    serverCache.set(upstreamModel, { expiresAt: now() + cacheTtlMs, rendersTools });
    return rendersTools;
  }

  async function filterSupporting(targets: readonly RoutedTarget[]): Promise<readonly RoutedTarget[]> {
    const results = await Promise.all(targets.map(rendersTools));
    return targets.filter((_, index) => results[index] === true);
  }

  return {
    needsToolSupport: ({ tools, tool_choice }) => tools.length > 0 && tool_choice === 'auto',
    async restrict(route) {
      const [shared, fallback] = await Promise.all([filterSupporting(route.shared), filterSupporting(route.fallback)]);
      if (shared.length + fallback.length === 0) throw toolsUnsupported(route.model);
      return { ...route, shared, fallback };
    },
  };
}

/** True unless the server reports otherwise. Rejects if it does not reply. */
async function requestRendersTools(server: Server, model: string): Promise<boolean> {
  const { settings } = server;
  // A server with several models replies for the model in the query.
  const path = `${settings.basePath.replace(/\/v\d+$/, '')}/props?model=${encodeURIComponent(model)}`;
  const headers = [
    'accept',
    'application/json',
    'accept-encoding',
    'identity',
    ...Object.entries(settings.configuredHeaders).flat(),
  ];
  const outgoing = { method: 'GET', path, headers, body: null, firstByte: timeoutMs } as const;
  const reply = decodedReply(await exchange(server, outgoing, AbortSignal.timeout(timeoutMs)));
  const text = await readText(reply, maxBytes);
  if (reply.status >= 500) throw new Error(`status ${reply.status}`);
  const props = reply.status === 200 && text !== undefined ? parseJson(text) : undefined;
  const caps = isRecord(props) ? props['chat_template_caps'] : undefined;
  return !(isRecord(caps) && caps['supports_tools'] === false);
}

function toolsUnsupported(model: string): RequestError {
  return new RequestError(
    `Unsupported parameter: 'tools' with 'tool_choice' 'auto' is not supported with the model '${model}': its chat template has no tools. ` +
      "Require a call with 'tool_choice' ('required' or a function), or start the upstream with a chat template that has tools.",
    { status: 400, code: 'unsupported_parameter', param: 'tools' },
  );
}
