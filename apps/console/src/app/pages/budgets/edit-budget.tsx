import type { Budget } from '@modelwire/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { fieldToAmount, limitField, amountToField, unitSuffix } from './amounts.ts';

interface Props {
  readonly budget: Budget;
  /** Currency of the price table, if the server has one. */
  readonly currency: string | null | undefined;
  readonly title: string;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

/** Changes the limits of a budget. Sends only the edited fields. */
export function EditBudget({ budget, currency, title, onSaved, onClose }: Props) {
  const { unit } = budget;
  const initial = {
    soft_limit: amountToField(unit, budget.soft_limit),
    hard_limit: amountToField(unit, budget.hard_limit),
    override_limit: amountToField(unit, budget.override_limit),
  };
  const [fields, setFields] = useState(initial);
  const setField = (name: keyof typeof initial) => (value: string) => setFields({ ...fields, [name]: value });
  const changedField = (name: keyof typeof initial) =>
    fields[name] !== initial[name] && { [name]: fieldToAmount(unit, fields[name]) };
  const update = useMutation({
    mutationFn: () =>
      api.organization.budgets.update(budget.id, {
        ...changedField('soft_limit'),
        ...changedField('hard_limit'),
        ...changedField('override_limit'),
      }),
    onSuccess: onSaved,
  });
  const suffix = unitSuffix(unit, currency);
  const common = limitField(unit);
  return (
    <FormDialog title={title} submitLabel="Save budget" submission={update} onClose={onClose}>
      <NumberField
        label={`Soft limit${suffix}`}
        {...common}
        value={fields.soft_limit}
        onChange={setField('soft_limit')}
      />
      <NumberField
        label={`Hard limit${suffix}`}
        {...common}
        value={fields.hard_limit}
        onChange={setField('hard_limit')}
      />
      <NumberField
        label={`Hard limit until the period ends (override)${suffix}`}
        {...common}
        value={fields.override_limit}
        onChange={setField('override_limit')}
      />
    </FormDialog>
  );
}
