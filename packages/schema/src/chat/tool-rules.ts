import { problem } from '../parsing/problem.ts';
import { quote } from '../parsing/message-text.ts';
import type { Path } from '../parsing/path.ts';
import type { ChatCompletionTool } from '../types/requests.ts';
import type { NamedToolChoice } from '../types/parts.ts';
import type { Problem } from '../types/parts.ts';
import type { ChatRule } from './rule.ts';

const CREATE = 'Create chat completion';
const TOOLS = 'Create chat completion: Tools';

const nameOf = (tool: ChatCompletionTool | NamedToolChoice): string =>
  tool.type === 'function' ? tool.function.name : tool.custom.name;

const keyOf = (tool: ChatCompletionTool | NamedToolChoice): string => `${tool.type} ${nameOf(tool)}`;

function missingToolProblem(
  choice: NamedToolChoice,
  toolKeys: ReadonlySet<string>,
  basePath: Path,
): Problem | undefined {
  const name = nameOf(choice);
  if (toolKeys.has(keyOf(choice))) return undefined;
  const path = [...basePath, choice.type, 'name'];
  return problem('invalid_value', path, `Tool choice ${quote(name)} of type '${choice.type}' not found in 'tools'.`);
}

function repeatedNameProblem(names: readonly string[], pathOf: (index: number) => Path): Problem | undefined {
  const previousNames = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (previousNames.has(name)) {
      return problem('invalid_value', pathOf(index), `The name ${quote(name)} is given twice. Names must be unique.`);
    }
    previousNames.add(name);
  }
  return undefined;
}

const choiceNeedsTools = (choice: 'tool_choice' | 'function_call', tools: 'tools' | 'functions'): ChatRule => ({
  name: `${choice} needs ${tools}`,
  section: CREATE,
  check: (request) =>
    request[choice] !== undefined && request[choice] !== 'none' && !request[tools]
      ? problem('invalid_value', [choice], `'${choice}' is only allowed when '${tools}' are given.`)
      : undefined,
});

/** Rules for tools and for the deprecated functions. */
export const toolRules: readonly ChatRule[] = [
  {
    name: 'tools have different names',
    section: TOOLS,
    check: ({ tools }) =>
      tools && repeatedNameProblem(tools.map(nameOf), (index) => ['tools', index, tools[index]?.type ?? '', 'name']),
  },
  {
    name: 'functions have different names',
    section: CREATE,
    check: ({ functions }) =>
      functions &&
      repeatedNameProblem(
        functions.map(({ name }) => name),
        (index) => ['functions', index, 'name'],
      ),
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
  choiceNeedsTools('tool_choice', 'tools'),
  {
    name: 'tool_choice names existing tools',
    section: CREATE,
    check: ({ tools = [], tool_choice }) => {
      if (typeof tool_choice !== 'object') return undefined;
      const toolKeys = new Set(tools.map(keyOf));
      if (tool_choice.type !== 'allowed_tools') return missingToolProblem(tool_choice, toolKeys, ['tool_choice']);
      for (const [index, allowed] of tool_choice.allowed_tools.tools.entries()) {
        const found = missingToolProblem(allowed, toolKeys, ['tool_choice', 'allowed_tools', 'tools', index]);
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
  choiceNeedsTools('function_call', 'functions'),
  {
    name: 'function_call names an existing function',
    section: CREATE,
    check: ({ functions = [], function_call }) => {
      if (typeof function_call !== 'object') return undefined;
      const { name } = function_call;
      return functions.some((one) => one.name === name)
        ? undefined
        : problem('invalid_value', ['function_call', 'name'], `Function ${quote(name)} not found in 'functions'.`);
    },
  },
];
