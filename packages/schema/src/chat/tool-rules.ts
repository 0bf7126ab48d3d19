import { problem } from '../problem.ts';
import { shown } from '../shown.ts';
import type { Path } from '../path.ts';
import type { ChatCompletionTool } from '../types/requests.ts';
import type { NamedToolChoice } from '../types/chat-tools.ts';
import type { Problem } from '../types/errors.ts';
import type { ChatRule } from './rule.ts';

const CREATE = 'Create chat completion';
const TOOLS = 'Create chat completion: Tools';

const nameOf = (tool: ChatCompletionTool | NamedToolChoice): string =>
  tool.type === 'function' ? tool.function.name : tool.custom.name;

const keyOf = (tool: ChatCompletionTool | NamedToolChoice): string => `${tool.type} ${nameOf(tool)}`;

function missing(choice: NamedToolChoice, known: ReadonlySet<string>, at: Path): Problem | undefined {
  const name = nameOf(choice);
  if (known.has(keyOf(choice))) return undefined;
  const path = [...at, choice.type, 'name'];
  return problem('invalid_value', path, `Tool choice ${shown(name)} of type '${choice.type}' not found in 'tools'.`);
}

function repeated(names: readonly string[], pathOf: (index: number) => Path): Problem | undefined {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (seen.has(name)) {
      return problem('invalid_value', pathOf(index), `The name ${shown(name)} is given twice. Names must be unique.`);
    }
    seen.add(name);
  }
  return undefined;
}

/** Rules for tools and for the deprecated functions. */
export const toolRules: readonly ChatRule[] = [
  {
    name: 'tools have different names',
    section: TOOLS,
    check: ({ tools }) =>
      tools && repeated(tools.map(nameOf), (index) => ['tools', index, tools[index]?.type ?? '', 'name']),
  },
  {
    name: 'functions have different names',
    section: CREATE,
    check: ({ functions }) =>
      functions && repeated(functions.map(({ name }) => name), (index) => ['functions', index, 'name']), // prettier-ignore
  },
  {
    // As with hosted services: one replaces the other, and a model with both could reply with either.
    name: 'functions or tools, not both',
    section: CREATE,
    check: ({ functions, tools }) =>
      functions && tools
        ? problem('invalid_value', ['functions'], "'functions' and 'tools' cannot both be given. Give only 'tools'.")
        : undefined,
  },
  {
    name: 'tool_choice needs tools',
    section: CREATE,
    check: ({ tools, tool_choice }) =>
      tool_choice !== undefined && tool_choice !== 'none' && !tools
        ? problem('invalid_value', ['tool_choice'], "'tool_choice' is only allowed when 'tools' are given.")
        : undefined,
  },
  {
    name: 'tool_choice names tools that are there',
    section: CREATE,
    check: ({ tools = [], tool_choice }) => {
      if (typeof tool_choice !== 'object') return undefined;
      const known = new Set(tools.map(keyOf));
      if (tool_choice.type !== 'allowed_tools') return missing(tool_choice, known, ['tool_choice']);
      for (const [index, allowed] of tool_choice.allowed_tools.tools.entries()) {
        const found = missing(allowed, known, ['tool_choice', 'allowed_tools', 'tools', index]);
        if (found) return found;
      }
      return undefined;
    },
  },
  {
    // True is the default and has no effect.
    name: 'parallel_tool_calls: false needs tools',
    section: CREATE,
    check: ({ tools, parallel_tool_calls }) =>
      parallel_tool_calls === false && !tools
        ? problem(
            'invalid_value',
            ['parallel_tool_calls'],
            "'parallel_tool_calls' can only be false when 'tools' are given.",
          )
        : undefined,
  },
  {
    name: 'function_call needs functions',
    section: CREATE,
    check: ({ functions, function_call }) =>
      function_call !== undefined && function_call !== 'none' && !functions
        ? problem('invalid_value', ['function_call'], "'function_call' is only allowed when 'functions' are given.")
        : undefined,
  },
  {
    name: 'function_call names a function that is there',
    section: CREATE,
    check: ({ functions = [], function_call }) => {
      if (typeof function_call !== 'object') return undefined;
      const { name } = function_call;
      return functions.some((one) => one.name === name)
        ? undefined
        : problem('invalid_value', ['function_call', 'name'], `Function ${shown(name)} not found in 'functions'.`);
    },
  },
];
