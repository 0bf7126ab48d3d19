import type { BudgetPeriod, BudgetUnit } from '@modelwire/client';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { keysQuery } from '../../api/organization.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormCard } from '../../components/form-card.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { ProjectField } from '../../components/project-field.tsx';
import { fromField, unitSuffix } from './amounts.ts';

interface Props {
  /** Of the price table, if the server has one. */
  readonly currency: string | null | undefined;
  readonly onCreated: () => Promise<void>;
}

/** Creates a budget of a project, or of one of its keys. */
export function CreateBudget({ currency, onCreated }: Props) {
  const [project, setProject] = useState('');
  const [key, setKey] = useState('');
  const [unit, setUnit] = useState<BudgetUnit>('tokens');
  const [period, setPeriod] = useState<BudgetPeriod>('month');
  const [soft, setSoft] = useState('');
  const [hard, setHard] = useState('');
  const keys = useInfiniteQuery(keysQuery(project));
  const creation = useMutation({
    mutationFn: () =>
      api.organization.budgets.create({
        ...(key === '' ? { project_id: project } : { api_key_id: key }),
        unit,
        period,
        soft_limit: fromField(unit, soft),
        hard_limit: fromField(unit, hard),
      }),
    onSuccess: async () => {
      setSoft('');
      setHard('');
      await onCreated();
    },
  });
  const suffix = unitSuffix(unit, currency);
  const step = unit === 'cost' ? 'any' : 1;
  return (
    <FormCard title="New budget" onSubmit={() => creation.mutate()}>
      <div className="filters">
        <ProjectField
          label="Of project"
          none="Choose a project"
          required
          value={project}
          onChange={(id) => {
            setProject(id);
            setKey('');
          }}
        />
        <label className="field">
          Of key
          <select value={key} onChange={(event) => setKey(event.target.value)}>
            <option value="">All keys together</option>
            {keys.data?.pages
              .flatMap((page) => page.data)
              .filter(({ revoked_at }) => revoked_at === null)
              .map(({ id, name, redacted_value }) => (
                <option key={id} value={id}>
                  {name === '' ? redacted_value : name}
                </option>
              ))}
          </select>
        </label>
        {keys.hasNextPage && (
          <button type="button" onClick={() => void keys.fetchNextPage()}>
            Load more keys
          </button>
        )}
        <label className="field">
          Unit
          <select value={unit} onChange={(event) => setUnit(event.target.value === 'cost' ? 'cost' : 'tokens')}>
            <option value="tokens">Tokens</option>
            <option value="cost">Cost</option>
          </select>
        </label>
        <label className="field">
          Period
          <select value={period} onChange={(event) => setPeriod(event.target.value === 'day' ? 'day' : 'month')}>
            <option value="day">Day</option>
            <option value="month">Month</option>
          </select>
        </label>
        <NumberField
          label={`Soft limit${suffix}`}
          placeholder="none"
          min={0}
          step={step}
          value={soft}
          onChange={setSoft}
        />
        <NumberField
          label={`Hard limit${suffix}`}
          placeholder="none"
          min={0}
          step={step}
          value={hard}
          onChange={setHard}
        />
        <button type="submit" className="primary" disabled={creation.isPending}>
          Create budget
        </button>
      </div>
      {creation.error !== null && <ErrorNotice title="The budget was not created." error={creation.error} />}
    </FormCard>
  );
}
