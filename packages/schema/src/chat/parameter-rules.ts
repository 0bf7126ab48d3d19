import { problem } from '../parsing/problem.ts';
import type { ChatRule } from './rule.ts';

const CREATE = 'Create chat completion';

/** Rules between parameters. */
export const parameterRules: readonly ChatRule[] = [
  {
    name: 'top_logprobs needs logprobs',
    section: CREATE,
    check: ({ logprobs, top_logprobs }) =>
      typeof top_logprobs === 'number' && logprobs !== true
        ? problem('invalid_value', ['top_logprobs'], "'top_logprobs' is only allowed when 'logprobs' is true.")
        : undefined,
  },
  {
    name: 'stream_options needs stream',
    section: CREATE,
    check: ({ stream, stream_options }) =>
      stream_options && stream !== true
        ? problem('invalid_value', ['stream_options'], "'stream_options' is only allowed when 'stream' is true.")
        : undefined,
  },
  {
    name: 'audio output needs audio',
    section: CREATE,
    check: ({ modalities, audio }) =>
      modalities?.includes('audio') && !audio
        ? problem(
            'missing_required_parameter',
            ['audio'],
            "Missing required parameter: 'audio'. It is needed when 'modalities' includes 'audio'.",
          )
        : undefined,
  },
  {
    // Not in the API: one parameter replaces the other, so two different limits are an error.
    name: 'max_tokens agrees with max_completion_tokens',
    section: CREATE,
    check: ({ max_tokens, max_completion_tokens }) =>
      typeof max_tokens === 'number' &&
      typeof max_completion_tokens === 'number' &&
      max_tokens !== max_completion_tokens
        ? problem(
            'invalid_value',
            ['max_tokens'],
            "'max_tokens' and 'max_completion_tokens' differ. Give only 'max_completion_tokens'.",
          )
        : undefined,
  },
];
