import { GrammarError } from '@modelwire/grammar';
import type { Grammar, GrammarSteps, Steps } from '@modelwire/grammar';
import type { ChatCompletionTool } from '@modelwire/schema/types';
import { orInvalid, stepsOrInvalid } from '../grammar/constraint.ts';
import type { Constraint, GrammarLocation } from '../grammar/constraint.ts';
import { withSigns } from '../reply/arithmetic.ts';
import type { Yield } from '../sampling/pace.ts';
import type { ValueSource } from '../values/candidates.ts';
import { textAfterColon, quotedIn } from '../values/phrases.ts';
import { writeJson } from '../values/write-json.ts';

type FunctionTool = Extract<ChatCompletionTool, { type: 'function' }>;

const noParameters = { type: 'object', properties: {}, required: [], additionalProperties: false };

/**
 * What the input of a tool must follow: the parameters of a strict function, the grammar of a custom tool. A 400 where that cannot be
 * enforced, whether the tool is called or not.
 */
export async function strictConstraint(
  tool: ChatCompletionTool,
  index: number,
  grammars: GrammarSteps,
  pause: Yield,
): Promise<Constraint | undefined> {
  if (tool.type === 'custom') {
    const { name, format } = tool.custom;
    if (format?.type !== 'grammar') return undefined;
    const { syntax, definition } = format.grammar;
    const path = ['tools', index, 'custom', 'format', 'grammar', 'definition'];
    const location: GrammarLocation = { path, of: `custom tool '${name}'`, kind: 'grammar' };
    return { location, grammar: await stepsOrInvalid(location, grammars.text(syntax, definition), pause) };
  }
  const { strict, parameters = noParameters } = tool.function;
  if (strict !== true) return undefined;
  const location = locationOf(tool, index);
  return {
    location,
    grammar: await stepsOrInvalid(location, grammars.jsonSchema(parameters, { strict: true }), pause),
  };
}

/** What the input of a called tool follows: without `strict` the parameters where they can be enforced, else any JSON object. */
export async function inputConstraint(
  tool: ChatCompletionTool,
  index: number,
  grammars: GrammarSteps,
  pause: Yield,
): Promise<Constraint | undefined> {
  if (tool.type === 'custom' || tool.function.strict === true) return strictConstraint(tool, index, grammars, pause);
  const { parameters = noParameters } = tool.function;
  const location = locationOf(tool, index);
  const compile = function* (): Steps<Grammar> {
    try {
      return yield* grammars.jsonSchema('type' in parameters ? parameters : { ...parameters, type: 'object' });
    } catch (error) {
      if (error instanceof GrammarError && error.code !== 'budget') return yield* grammars.jsonObject();
      throw error;
    }
  };
  return { location, grammar: await stepsOrInvalid(location, compile(), pause) };
}

function locationOf({ function: { name, parameters } }: FunctionTool, index: number): GrammarLocation {
  const path = ['tools', index, 'function', 'parameters'];
  return { path, of: `function '${name}'`, kind: 'schema', schema: parameters };
}

/** The input of a call, from the text that asks for it. */
export async function callInput(
  tool: ChatCompletionTool,
  constraint: Constraint | undefined,
  source: ValueSource,
  pause: Yield,
): Promise<string> {
  if (tool.type === 'function' && constraint) {
    const { grammar, location } = constraint;
    return stepsOrInvalid(location, writeJson(grammar, tool.function.parameters ?? noParameters, source), pause);
  }
  const name = tool.type === 'custom' ? tool.custom.name.replaceAll('-', '.') : '';
  const order = new RegExp(String.raw`\b(?:use|call|run|with)\s+(?:the\s+)?${name}(?:\s+tool)?\b`, 'i');
  const text = source.text.replace(order, ' ').trim();
  const likely = [...quotedIn(text), textAfterColon(text)].filter((one) => one !== '');
  if (!constraint) return likely[0] ?? text;
  const { grammar, location } = constraint;
  return orInvalid(location, () => {
    const input = likely.find((one) => accepts(grammar, one)) ?? longestAccepted(grammar, text);
    return input ?? grammar.start().shortestCompletion();
  });
}

function accepts(grammar: Grammar, text: string): boolean {
  return grammar.start().advance(text)?.canEnd() === true;
}

/** The longest of the runs of at most 14 words that a grammar accepts, also with signs for the words of operations. */
function longestAccepted(grammar: Grammar, text: string): string | undefined {
  const variants = [text, withSigns(text), withSigns(text).replace(/\s+/g, '')];
  const runs = variants.flatMap((variant) => {
    const words = variant.split(/\s+/).slice(0, 60);
    return words.flatMap((_, from) =>
      Array.from({ length: 14 }, (_, count) => words.slice(from, from + count + 1).join(' ')),
    );
  });
  const candidates = [...new Set(runs.flatMap((run) => [run, run.replace(/[.,;:!?]+$/, '')]))];
  return candidates.sort((a, b) => b.length - a.length).find((run) => run !== '' && accepts(grammar, run));
}
