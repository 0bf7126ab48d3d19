import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createKey } from '../../api/organization.ts';
import type { ProjectApiKeyWithValue } from '../../api/organization.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';

const roles = [
  { id: 'full', label: 'Full: everything in the project' },
  { id: 'inference_only', label: 'Inference only: run models' },
  { id: 'read_only', label: 'Read only' },
  { id: 'admin', label: 'Administrator: all projects' },
];
const secondsOfDay = 86_400;

interface Props {
  readonly project: string;
  readonly onCreated: (key: ProjectApiKeyWithValue) => void;
}

/** Creates a key with a role, an expiry and limits. */
export function CreateKey({ project, onCreated }: Props) {
  const [name, setName] = useState('');
  const [role, setRole] = useState('full');
  const [days, setDays] = useState('');
  const [requests, setRequests] = useState('');
  const [tokens, setTokens] = useState('');
  const creation = useMutation({
    mutationFn: () =>
      createKey(project, {
        name,
        role,
        expires_at: days === '' ? null : Math.floor(Date.now() / 1000) + Number(days) * secondsOfDay,
        requests_per_minute: requests === '' ? null : Number(requests),
        tokens_per_minute: tokens === '' ? null : Number(tokens),
      }),
    onSuccess: (key) => {
      setName('');
      onCreated(key);
    },
  });
  return (
    <form
      className="card"
      aria-label="New key"
      onSubmit={(event) => {
        event.preventDefault();
        creation.mutate();
      }}
    >
      <h2>New key</h2>
      <div className="filters">
        <label className="field">
          Name
          <input value={name} required onChange={(event) => setName(event.target.value)} />
        </label>
        <label className="field">
          Role
          <select value={role} onChange={(event) => setRole(event.target.value)}>
            {roles.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <CountField label="Expires in days" placeholder="never" value={days} onChange={setDays} />
        <CountField label="Requests per minute" placeholder="unlimited" value={requests} onChange={setRequests} />
        <CountField label="Tokens per minute" placeholder="unlimited" value={tokens} onChange={setTokens} />
        <button type="submit" className="primary" disabled={creation.isPending}>
          Create key
        </button>
      </div>
      {creation.error !== null && <ErrorNotice title="The key was not created." error={creation.error} />}
    </form>
  );
}

interface CountProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function CountField({ label, placeholder, value, onChange }: CountProps) {
  return (
    <label className="field">
      {label}
      <input
        type="number"
        min="1"
        step="1"
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
