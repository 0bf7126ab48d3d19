import type {
  ChatCompletionTool,
  NamedToolChoice,
  ResponseCustomTool,
  ResponseFunctionTool,
  ResponseNamedChoice,
  ResponseNamespaceTool,
  ResponseTool,
  ResponseToolChoice,
  ResponseWebSearchTool,
  ToolChoice,
  WebSearchOptions,
} from '@modelwire/schema/types';
import { invalid, unsupported, unsupportedValue } from '../../errors.ts';
import { createToolNames } from './tool-names.ts';
import type { ToolNames } from './tool-names.ts';

/** The tools of a request for a chat engine. */
export interface TranslatedTools {
  /** The tools that the model sees, as the client sent them. */
  readonly visible: readonly ResponseTool[];
  /** Types of the tools that were omitted, without duplicates. */
  readonly omittedTools: readonly string[];
  readonly names: ToolNames;
  readonly tools: readonly ChatCompletionTool[];
  /** Where each of `tools` is in the request. */
  readonly paths: readonly string[];
  readonly toolChoice: ToolChoice | undefined;
  readonly webSearch: { readonly options: WebSearchOptions; readonly isForced: boolean } | undefined;
}

export interface ToolSupport {
  /** Whether the server or the model searches the web. */
  readonly webSearch: boolean;
  /** What to do with tools that only hosted services run, if none of them is forced. `pass`: the engine receives them unchanged. */
  readonly hostedTools: 'omit' | 'refuse' | 'pass';
  /** Whether the engine receives the items of the request: then all reasoning is kept, to be moderated and counted. */
  readonly isRelayed: boolean;
}

/** A tool with its place in the request. */
export interface ToolWithPath {
  readonly tool: ResponseTool;
  readonly path: string;
}

/** @throws a 400 that names a tool which is forced, or refused by the options, and does not run here. */
export function translateTools(
  toolsWithPaths: readonly ToolWithPath[],
  choice: ResponseToolChoice | undefined,
  support: ToolSupport,
): TranslatedTools {
  const visible: ResponseTool[] = [];
  const omittedTools = new Set<string>();
  const tools: ChatCompletionTool[] = [];
  const paths: string[] = [];
  let search: { readonly tool: ResponseWebSearchTool; readonly path: string } | undefined;
  const names = createToolNames(toolsWithPaths.map(({ tool }) => tool));
  for (const { tool, path } of toolsWithPaths) {
    if (isFunctionTool(tool) || isCustom(tool)) {
      tools.push(chatTool(tool, tool.name));
      paths.push(path);
    } else if (isNamespace(tool)) {
      for (const [index, inner] of tool.tools.entries()) {
        tools.push(chatTool(inner, names.engineName({ name: inner.name, namespace: tool.name })));
        paths.push(`${path}.tools[${index}]`);
      }
    } else if (isWebSearch(tool) && support.webSearch && tool.external_web_access !== false) search = { tool, path };
    else {
      if (support.hostedTools === 'refuse') throw hostedTool(`${path}.type`, tool.type);
      if (support.hostedTools === 'omit') {
        omittedTools.add(tool.type);
        continue;
      }
    }
    visible.push(tool);
  }
  const { toolChoice, searches, isForced } = translateChoice(choice, names, tools, search !== undefined, omittedTools);
  return {
    visible,
    omittedTools: [...omittedTools],
    names,
    tools,
    paths,
    toolChoice,
    webSearch: search && searches ? { options: searchOptions(search), isForced } : undefined,
  };
}

interface TranslatedChoice {
  readonly toolChoice: ToolChoice | undefined;
  /** Whether the choice allows a search. */
  readonly searches: boolean;
  readonly isForced: boolean;
}

function translateChoice(
  choice: ResponseToolChoice | undefined,
  names: ToolNames,
  tools: readonly ChatCompletionTool[],
  hasSearch: boolean,
  omittedTools: ReadonlySet<string>,
): TranslatedChoice {
  const hasTools = tools.length > 0;
  if (choice === undefined || choice === 'auto') return { toolChoice: undefined, searches: true, isForced: false };
  if (choice === 'none') return { toolChoice: hasTools ? 'none' : undefined, searches: false, isForced: false };
  if (choice === 'required') {
    // A search is a call of a tool: with one, the model need not call another.
    if (hasSearch) return { toolChoice: undefined, searches: true, isForced: !hasTools };
    if (hasTools) return { toolChoice: 'required', searches: false, isForced: false };
    const [type] = omittedTools;
    if (type !== undefined) throw hostedTool('tool_choice', type);
    throw invalid('tool_choice', "'tool_choice' can only be 'required' when 'tools' are given.");
  }
  if (choice.type === 'allowed_tools' && 'tools' in choice) {
    const allowedTools = choice.tools.flatMap((tool) => chatChoice(tool, names) ?? []);
    const searches = choice.tools.some(({ type }) => searchTypes.has(type)) && hasSearch;
    if (allowedTools.length > 0) {
      const mode = searches ? 'auto' : choice.mode;
      return {
        toolChoice: { type: 'allowed_tools', allowed_tools: { mode, tools: allowedTools } },
        searches,
        isForced: false,
      };
    }
    if (choice.mode === 'required' && !searches) throw hostedTool('tool_choice.tools[0]', choice.tools[0]?.type ?? '');
    return { toolChoice: hasTools ? 'none' : undefined, searches, isForced: choice.mode === 'required' };
  }
  const namedTool = chatChoice(choice, names);
  if (namedTool) return { toolChoice: namedTool, searches: false, isForced: false };
  if (searchTypes.has(choice.type) && hasSearch) {
    return { toolChoice: hasTools ? 'none' : undefined, searches: true, isForced: true };
  }
  throw hostedTool('tool_choice', choice.type);
}

function chatChoice(choice: ResponseNamedChoice, names: ToolNames): NamedToolChoice | undefined {
  // A choice of a hosted tool may have a name, too.
  const { type }: { readonly type: string } = choice;
  if (!('name' in choice)) return undefined;
  const name = names.engineName(choice);
  if (type === 'function') return { type: 'function', function: { name } };
  return type === 'custom' ? { type: 'custom', custom: { name } } : undefined;
}

function chatTool(tool: ResponseFunctionTool | ResponseCustomTool, name: string): ChatCompletionTool {
  const description = tool.description !== undefined && { description: tool.description };
  if (tool.type === 'function') {
    const { parameters, strict } = tool;
    return {
      type: 'function',
      function: { name, ...description, ...(parameters && { parameters }), ...(strict !== undefined && { strict }) },
    };
  }
  const { format } = tool;
  if (format?.type !== 'grammar') return { type: 'custom', custom: { name, ...description } };
  const { syntax, definition } = format;
  return {
    type: 'custom',
    custom: { name, ...description, format: { type: 'grammar', grammar: { syntax, definition } } },
  };
}

function searchOptions({
  tool,
  path,
}: {
  readonly tool: ResponseWebSearchTool;
  readonly path: string;
}): WebSearchOptions {
  const { search_context_size, user_location, filters } = tool;
  if (filters?.allowed_domains && filters.allowed_domains.length > 0) {
    const param = `${path}.filters`;
    throw unsupported(
      param,
      `Unsupported parameter: '${param}' is not supported: the search of this server has no filters.`,
    );
  }
  const { type: _type, ...approximate } = user_location ?? {};
  return {
    ...(search_context_size && { search_context_size }),
    ...(user_location && { user_location: { type: 'approximate' as const, approximate } }),
  };
}

function hostedTool(param: string, type: string): Error {
  return unsupportedValue(
    param,
    `Unsupported value: '${param}' asks for the tool '${type}', which this server does not run. It runs: function, custom and namespace tools, and web_search where a search is configured.`,
  );
}

const searchTypes: ReadonlySet<string> = new Set([
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
]);

export function isFunctionTool(tool: ResponseTool): tool is ResponseFunctionTool {
  return tool.type === 'function';
}

function isCustom(tool: ResponseTool): tool is ResponseCustomTool {
  return tool.type === 'custom';
}

function isNamespace(tool: ResponseTool): tool is ResponseNamespaceTool {
  return tool.type === 'namespace';
}

function isWebSearch(tool: ResponseTool): tool is ResponseWebSearchTool {
  return searchTypes.has(tool.type);
}
