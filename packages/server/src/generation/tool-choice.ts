import type { ChatCompletionTool, ToolChoice } from '@modelwire/schema/types';
import type { ToolChoiceForm } from '@modelwire/ports';

/** The tools to send, and how to say which of them is to be called. */
export interface Narrowed {
  readonly tools: readonly ChatCompletionTool[];
  readonly tool_choice: ToolChoice;
  /** Names of which one has to be called, where the engine cannot be told so: the kit sees to it. */
  readonly toCall: readonly string[] | undefined;
}

/**
 * A tool choice around an engine that takes only some of its forms (interface: `tool_choice`): what may not be called is
 * not sent. A choice without tools is `none`.
 */
export function restrictTools(
  tools: readonly ChatCompletionTool[],
  choice: ToolChoice,
  forms: readonly ToolChoiceForm[],
): Narrowed {
  const as = (tool_choice: ToolChoice, of = tools, toCall?: readonly string[]): Narrowed => ({
    tools: of,
    tool_choice,
    toCall,
  });
  if (choice === 'auto') return as(choice);
  if (forms.includes(typeof choice === 'string' ? choice : choice.type)) return as(choice);
  if (choice === 'none') return as('none', []);
  if (choice === 'required') return as('auto', tools, tools.map(nameOf));
  const named = choice.type === 'allowed_tools' ? choice.allowed_tools.tools : [choice];
  const left = tools.filter((tool) => named.some((one) => one.type === tool.type && nameOf(one) === nameOf(tool)));
  return restrictTools(left, choice.type === 'allowed_tools' ? choice.allowed_tools.mode : 'required', forms);
}

type Named =
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | { readonly type: 'custom'; readonly custom: { readonly name: string } };

function nameOf(tool: Named): string {
  return tool.type === 'function' ? tool.function.name : tool.custom.name;
}
