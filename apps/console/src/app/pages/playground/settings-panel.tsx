import { Checkbox, TextInput, Textarea } from '@mantine/core';
import { CodeField } from '../../components/code-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import type { Setup } from './setup.ts';
import type { UnsupportedSettings } from './unsupported-settings.ts';

interface Props {
  readonly setup: Setup;
  /** Names of the variables of the system prompt and the messages. */
  readonly variables: readonly string[];
  readonly unsupported: UnsupportedSettings;
  /** The reasoning efforts of the models; null for any. */
  readonly efforts: readonly string[] | null;
  readonly onChange: (changes: Partial<Setup>) => void;
}

type TextSetting = 'temperature' | 'topP' | 'maxTokens' | 'seed' | 'stop';

const fields: readonly { readonly name: TextSetting; readonly label: string; readonly hint: string }[] = [
  { name: 'temperature', label: 'Temperature', hint: '0 to 2' },
  { name: 'topP', label: 'Top P', hint: '0 to 1' },
  { name: 'maxTokens', label: 'Maximum tokens', hint: 'unlimited' },
  { name: 'seed', label: 'Seed', hint: 'random' },
  { name: 'stop', label: 'Stop sequence', hint: 'none' },
];

const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Instructions and parameters of the requests. */
export function SettingsPanel({ setup, variables, unsupported, efforts, onChange }: Props) {
  return (
    <section className="settings" aria-label="Settings">
      <Textarea
        label="System prompt"
        rows={3}
        value={setup.system}
        placeholder="{{name}} is a variable, also in messages."
        onChange={(event) => onChange({ system: event.target.value })}
      />
      {variables.map((name) => (
        <Textarea
          key={name}
          label={`Variable ${name}`}
          rows={1}
          value={setup.variables[name] ?? ''}
          onChange={(event) => onChange({ variables: { ...setup.variables, [name]: event.target.value } })}
        />
      ))}
      <div className="columns">
        {fields.map(({ name, label, hint }) => (
          <TextInput
            key={name}
            label={label}
            value={setup[name]}
            placeholder={hint}
            description={unsupported[name]}
            disabled={name in unsupported}
            inputMode={name === 'stop' ? 'text' : 'decimal'}
            onChange={(event) => onChange({ [name]: event.target.value })}
          />
        ))}
        <SelectField<string>
          label="Reasoning effort"
          options={[{ value: '', label: 'Default' }, ...(efforts ?? reasoningEfforts)]}
          disabledBecause={unsupported.reasoningEffort}
          value={setup.reasoningEffort}
          onChange={(reasoningEffort) => onChange({ reasoningEffort })}
        />
      </div>
      <CodeField
        label="Tools (JSON array)"
        expected="array"
        disabledBecause={unsupported.tools}
        value={setup.tools}
        onChange={(tools) => onChange({ tools })}
      />
      <CodeField
        label="Output schema (JSON)"
        disabledBecause={unsupported.schema}
        value={setup.schema}
        onChange={(schema) => onChange({ schema })}
      />
      <CodeField
        label="Other parameters (JSON object)"
        value={setup.otherParameters}
        onChange={(otherParameters) => onChange({ otherParameters })}
      />
      <Checkbox
        label="Store replies under Completions"
        checked={setup.store}
        onChange={(event) => onChange({ store: event.target.checked })}
      />
      <Checkbox
        label="Log probabilities"
        description={unsupported.logprobs}
        disabled={'logprobs' in unsupported}
        checked={setup.logprobs}
        onChange={(event) => onChange({ logprobs: event.target.checked })}
      />
    </section>
  );
}
