import { Checkbox, TextInput, Textarea } from '@mantine/core';
import { CodeField } from '../../components/code-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import type { Setup } from './setup.ts';

interface Props {
  readonly setup: Setup;
  readonly onChange: (setup: Setup) => void;
}

type TextSetting = 'temperature' | 'topP' | 'maxTokens' | 'seed' | 'stop';

const fields: readonly { readonly name: TextSetting; readonly label: string; readonly hint: string }[] = [
  { name: 'temperature', label: 'Temperature', hint: '0 to 2' },
  { name: 'topP', label: 'Top P', hint: '0 to 1' },
  { name: 'maxTokens', label: 'Maximum tokens', hint: 'unlimited' },
  { name: 'seed', label: 'Seed', hint: 'random' },
  { name: 'stop', label: 'Stop sequence', hint: 'none' },
];

const reasoningEfforts = [{ value: '', label: 'Default' }, 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Instructions and parameters of the requests. */
export function SettingsPanel({ setup, onChange }: Props) {
  return (
    <section className="settings" aria-label="Settings">
      <Textarea
        label="System prompt"
        rows={4}
        value={setup.system}
        onChange={(event) => onChange({ ...setup, system: event.target.value })}
      />
      <div className="columns">
        {fields.map(({ name, label, hint }) => (
          <TextInput
            key={name}
            label={label}
            value={setup[name]}
            placeholder={hint}
            inputMode={name === 'stop' ? 'text' : 'decimal'}
            onChange={(event) => onChange({ ...setup, [name]: event.target.value })}
          />
        ))}
        <SelectField
          label="Reasoning effort"
          options={reasoningEfforts}
          value={setup.reasoningEffort}
          onChange={(reasoningEffort) => onChange({ ...setup, reasoningEffort })}
        />
      </div>
      <CodeField label="Tools (JSON array)" value={setup.tools} onChange={(tools) => onChange({ ...setup, tools })} />
      <CodeField
        label="Output schema (JSON)"
        value={setup.schema}
        onChange={(schema) => onChange({ ...setup, schema })}
      />
      <CodeField
        label="Other parameters (JSON object)"
        value={setup.otherParameters}
        onChange={(otherParameters) => onChange({ ...setup, otherParameters })}
      />
      <Checkbox
        label="Store replies under Completions"
        checked={setup.store}
        onChange={(event) => onChange({ ...setup, store: event.target.checked })}
      />
      <Checkbox
        label="Log probabilities"
        checked={setup.logprobs}
        onChange={(event) => onChange({ ...setup, logprobs: event.target.checked })}
      />
    </section>
  );
}
