import { useQuery } from '@tanstack/react-query';
import { modelsOfKindQuery } from '../api/models.ts';
import type { Kind } from '../api/models.ts';
import { SelectField } from './select-field.tsx';

interface Props {
  readonly label: string;
  /** The label of the option for no model. */
  readonly emptyLabel: string;
  /** Default: chat. */
  readonly kind?: Kind;
  readonly value: string;
  readonly onChange: (model: string) => void;
  readonly required?: boolean;
}

/** Selects a model. */
export function ModelField({ label, emptyLabel, kind = 'chat', value, onChange, required = false }: Props) {
  const { data: served = [] } = useQuery(modelsOfKindQuery(kind));
  return (
    <SelectField<string>
      label={label}
      options={[{ value: '', label: emptyLabel }, ...served]}
      value={value}
      required={required}
      onChange={onChange}
    />
  );
}
