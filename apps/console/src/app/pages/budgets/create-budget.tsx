import type { BudgetPeriod, BudgetUnit } from '@modelwire/client';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { keysQuery } from '../../api/organization.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { LoadMoreButton } from '../../components/load-more-button.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { ProjectField } from '../../components/project-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { fieldToAmount, limitField, unitSuffix } from './amounts.ts';

const units = [
  { value: 'tokens', label: 'Tokens' },
  { value: 'cost', label: 'Cost' },
] as const;
const periods = [
  { value: 'day', label: 'Day' },
  { value: 'month', label: 'Month' },
] as const;

interface Props {
  /** Currency of the price table, if the server has one. */
  readonly currency: string | null | undefined;
  /** ID of the project that is chosen at first; empty for none. */
  readonly initialProject: string;
  readonly onCreated: () => Promise<void>;
  readonly onClose: () => void;
}

/** Creates a budget of a project, or of one of its keys. */
export function CreateBudget({ currency, initialProject, onCreated, onClose }: Props) {
  const [project, setProject] = useState(initialProject);
  const [key, setKey] = useState('');
  const [unit, setUnit] = useState<BudgetUnit>('tokens');
  const [period, setPeriod] = useState<BudgetPeriod>('month');
  const [softLimit, setSoftLimit] = useState('');
  const [hardLimit, setHardLimit] = useState('');
  const keys = useInfiniteQuery(keysQuery(project));
  const activeKeys = (keys.data?.pages.flatMap((page) => page.data) ?? []).filter(
    ({ revoked_at }) => revoked_at === null,
  );
  const creation = useMutation({
    mutationFn: () =>
      api.organization.budgets.create({
        ...(key === '' ? { project_id: project } : { api_key_id: key }),
        unit,
        period,
        soft_limit: fieldToAmount(unit, softLimit),
        hard_limit: fieldToAmount(unit, hardLimit),
      }),
    onSuccess: onCreated,
  });
  const suffix = unitSuffix(unit, currency);
  return (
    <FormDialog
      title="New budget"
      submitLabel="Create budget"
      submission={creation}
      errorTitle="The budget was not created."
      onClose={onClose}
    >
      <ProjectField
        label="Of project"
        emptyLabel="Choose a project"
        required
        value={project}
        onChange={(id) => {
          setProject(id);
          setKey('');
        }}
      />
      <SelectField
        label="Of key"
        options={[
          { value: '', label: 'All keys together' },
          ...activeKeys.map(({ id, name, redacted_value }) => ({ value: id, label: name || redacted_value })),
        ]}
        value={key}
        onChange={setKey}
      />
      <LoadMoreButton entries="keys" query={keys} />
      <SelectField label="Unit" options={units} value={unit} onChange={setUnit} />
      <SelectField label="Period" options={periods} value={period} onChange={setPeriod} />
      <NumberField label={`Soft limit${suffix}`} {...limitField(unit)} value={softLimit} onChange={setSoftLimit} />
      <NumberField label={`Hard limit${suffix}`} {...limitField(unit)} value={hardLimit} onChange={setHardLimit} />
    </FormDialog>
  );
}
