import { useId } from 'react';
import { SelectField } from '../../components/select-field.tsx';
import type { Setup } from './setup.ts';

interface Props {
  readonly setup: Setup;
  readonly onChange: (setup: Setup) => void;
}

type TextField = 'temperature' | 'topP' | 'maxTokens' | 'seed' | 'stop';

const fields: readonly { readonly name: TextField; readonly label: string; readonly hint: string }[] = [
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
      <TextArea label="System prompt" value={setup.system} onChange={(system) => onChange({ ...setup, system })} />
      <div className="columns">
        {fields.map(({ name, label, hint }) => (
          <label className="field" key={name}>
            {label}
            <input
              value={setup[name]}
              placeholder={hint}
              inputMode={name === 'stop' ? 'text' : 'decimal'}
              onChange={(event) => onChange({ ...setup, [name]: event.target.value })}
            />
          </label>
        ))}
        <SelectField
          label="Reasoning effort"
          options={reasoningEfforts}
          value={setup.reasoningEffort}
          onChange={(reasoningEffort) => onChange({ ...setup, reasoningEffort })}
        />
      </div>
      <TextArea
        code
        label="Tools (JSON array)"
        value={setup.tools}
        onChange={(tools) => onChange({ ...setup, tools })}
      />
      <TextArea
        code
        label="Output schema (JSON)"
        value={setup.schema}
        onChange={(schema) => onChange({ ...setup, schema })}
      />
      <TextArea
        code
        label="Other parameters (JSON object)"
        value={setup.otherParameters}
        onChange={(otherParameters) => onChange({ ...setup, otherParameters })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={setup.store}
          onChange={(event) => onChange({ ...setup, store: event.target.checked })}
        />
        Store replies under Completions
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={setup.logprobs}
          onChange={(event) => onChange({ ...setup, logprobs: event.target.checked })}
        />
        Log probabilities
      </label>
    </section>
  );
}

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly code?: boolean;
  readonly onChange: (value: string) => void;
}

function TextArea({ label, value, code = false, onChange }: TextAreaProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        spellCheck={!code}
        className={code ? 'monospace' : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
