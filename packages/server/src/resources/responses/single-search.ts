import type { ServerContext } from '../../context.ts';

/**
 * The context with a web search that runs once and keeps its outcome: a response whose input is truncated to fit the model calls the engine
 * several times, but searches once. `max_tool_calls`, which is at least 1, therefore always holds.
 */
export function withSingleSearch(server: ServerContext): ServerContext {
  const { webSearch } = server.options;
  if (!webSearch) return server;
  let result: ReturnType<typeof webSearch.search> | undefined;
  const single = {
    ...webSearch,
    search: (...query: Parameters<typeof webSearch.search>) => (result ??= webSearch.search(...query)),
  };
  return { ...server, options: { ...server.options, webSearch: single } };
}
