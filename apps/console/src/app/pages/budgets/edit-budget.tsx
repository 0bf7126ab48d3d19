import type { Budget } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { fromField, limitField, toField, unitSuffix } from './amounts.ts';

interface Props {
  readonly budget: Budget;
  /** Of the price table, if the server has one. */
  readonly currency: string | null | undefined;
  readonly title: string;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

/** Changes the limits of a budget. Sends only the edited fields. */
export function EditBudget({ budget, currency, title, onSaved, onClose }: Props) {
  const { unit } = budget;
  const before = {
    soft_limit: toField(unit, budget.soft_limit),
    hard_limit: toField(unit, budget.hard_limit),
    override_limit: toField(unit, budget.override_limit),
  };
  const [fields, setFields] = useState(before);
  const set = (name: keyof typeof before) => (value: string) => setFields({ ...fields, [name]: value });
  const changed = (name: keyof typeof before) =>
    fields[name] !== before[name] && { [name]: fromField(unit, fields[name]) };
  const saving = useMutation({
    mutationFn: () =>
      api.organization.budgets.update(budget.id, {
        ...changed('soft_limit'),
        ...changed('hard_limit'),
        ...changed('override_limit'),
      }),
    onSuccess: onSaved,
  });
  const suffix = unitSuffix(unit, currency);
  const common = limitField(unit);
  return (
    <DialogForm title={title} submitLabel="Save budget" saving={saving} onClose={onClose}>
      <NumberField label={`Soft limit${suffix}`} {...common} value={fields.soft_limit} onChange={set('soft_limit')} />
      <NumberField label={`Hard limit${suffix}`} {...common} value={fields.hard_limit} onChange={set('hard_limit')} />
      <NumberField
        label={`Hard limit until the period ends (override)${suffix}`}
        {...common}
        value={fields.override_limit}
        onChange={set('override_limit')}
      />
    </DialogForm>
  );
}
