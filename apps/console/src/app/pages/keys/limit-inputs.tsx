import { Textarea } from '@mantine/core';
import { NumberField } from '../../components/number-field.tsx';
import type { LimitFields } from './limits.ts';

interface Props {
  readonly value: LimitFields;
  readonly onChange: (value: LimitFields) => void;
}

/** The limits that keys and projects have in common. */
export function LimitInputs({ value, onChange }: Props) {
  const set = (name: keyof LimitFields) => (text: string) => onChange({ ...value, [name]: text });
  return (
    <>
      <NumberField
        label="Requests per minute"
        placeholder="unlimited"
        value={value.requestsPerMinute}
        onChange={set('requestsPerMinute')}
      />
      <NumberField
        label="Tokens per minute"
        placeholder="unlimited"
        value={value.tokensPerMinute}
        onChange={set('tokensPerMinute')}
      />
      <NumberField
        label="Maximum output tokens"
        placeholder="unlimited"
        value={value.maxOutputTokens}
        onChange={set('maxOutputTokens')}
      />
      <Textarea
        label="Allowed models, one per line"
        rows={2}
        placeholder="all"
        value={value.allowedModels}
        onChange={(event) => set('allowedModels')(event.target.value)}
      />
    </>
  );
}
