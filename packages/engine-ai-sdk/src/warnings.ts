import { RequestError } from '@modelwire/ports';
import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider';

/** Request parameters by the feature names that providers use in warnings. */
const parameters: Readonly<Record<string, string>> = {
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  reasoning: 'reasoning_effort',
  responseFormat: 'response_format',
  seed: 'seed',
  stopSequences: 'stop',
  temperature: 'temperature',
  toolChoice: 'tool_choice',
  tools: 'tools',
  topP: 'top_p',
};

/** The parameter that a provider did not apply, as an error; undefined for a warning without effect on the reply. */
export function droppedParameter(
  warning: SharedV4Warning,
  sent: LanguageModelV4CallOptions,
  model: string,
): RequestError | undefined {
  if (warning.type !== 'unsupported' || isWithoutEffect(warning.feature, sent)) return undefined;
  const { feature, details } = warning;
  const param = parameterOf(feature);
  const what = param === undefined ? feature : `'${param}'`;
  return new RequestError(
    `Unsupported parameter: ${what} is not supported with the model '${model}'${details === undefined ? '' : `: ${details}`}.`,
    { status: 400, code: 'unsupported_parameter', param: param ?? null },
  );
}

function parameterOf(feature: string): string | undefined {
  if (Object.hasOwn(parameters, feature)) return parameters[feature];
  if (/^tool\b|tool/i.test(feature)) return 'tools';
  if (/thinking|effort/i.test(feature)) return 'reasoning_effort';
  return undefined;
}

/** Whether the ignored parameter has no effect anyway. */
function isWithoutEffect(feature: string, sent: LanguageModelV4CallOptions): boolean {
  switch (feature) {
    // The limit of the model is lower than that of the request: both are kept.
    case 'maxOutputTokens':
      return true;
    case 'temperature':
      return sent.temperature === 1;
    case 'topP':
      return sent.topP === 1;
    case 'frequencyPenalty':
      return sent.frequencyPenalty === 0;
    case 'presencePenalty':
      return sent.presencePenalty === 0;
    default:
      return false;
  }
}
