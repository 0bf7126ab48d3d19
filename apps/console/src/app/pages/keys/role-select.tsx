import type { ProjectApiKeyRole } from '@modelwire/client';
import { roleOf, roles } from './roles.ts';

interface Props {
  readonly value: ProjectApiKeyRole;
  readonly onChange: (role: ProjectApiKeyRole) => void;
}

export function RoleSelect({ value, onChange }: Props) {
  return (
    <label className="field">
      Role
      <select value={value} onChange={(event) => onChange(roleOf(event.target.value))}>
        {roles.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
