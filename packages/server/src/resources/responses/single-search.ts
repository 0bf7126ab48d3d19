import type { ServerContext } from '../../context.ts';

/**
 * The context with a web search that runs once and keeps its outcome: a response whose input is shortened until the model takes it asks the
 * engine several times, and searches once. `max_tool_calls`, which is at least 1, therefore always holds.
 */
export function withSingleSearch(kit: ServerContext): ServerContext {
  const { webSearch } = kit.options;
  if (!webSearch) return kit;
  let found: ReturnType<typeof webSearch.search> | undefined;
  const single = {
    ...webSearch,
    search: (...query: Parameters<typeof webSearch.search>) => (found ??= webSearch.search(...query)),
  };
  return { ...kit, options: { ...kit.options, webSearch: single } };
}
