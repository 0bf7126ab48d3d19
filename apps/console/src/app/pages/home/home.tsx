import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useNames } from '../../api/names.ts';
import { activityQuery, usageQuery } from '../../api/usage.ts';
import { ModelField } from '../../components/model-field.tsx';
import { NamedSelect } from '../../components/named-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { FigureCharts } from '../usage/figure-charts.tsx';
import { FigureTiles } from '../usage/figure-tiles.tsx';
import { figuresOfDays, figuresOfHours } from '../usage/figures.ts';
import { Attention } from './attention.tsx';
import { NextSteps } from './next-steps.tsx';
import { parsePeriod, periodNames, periods } from './periods.ts';

const route = getRouteApi('/home');

/** What happens on the server: figures and charts of a period, running work, and what needs attention. */
export function Home() {
  const { period, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = periods[period];
  const isHours = 'hours' in chosen;
  const activity = useQuery({
    ...activityQuery(isHours ? chosen.hours : 24, filters),
    enabled: isHours,
    select: figuresOfHours,
  });
  const usage = useQuery({
    ...usageQuery({ days: isHours ? 7 : chosen.days, key: '', ...filters }),
    enabled: !isHours,
    select: figuresOfDays,
  });
  const { projects } = useNames();
  const query = isHours ? activity : usage;
  const { data: figures } = query;
  return (
    <>
      <PageHeader title="Home">
        <div className="filters" role="search">
          <NamedSelect
            label="Project"
            emptyLabel="All"
            entries={projects}
            value={filters.project}
            onChange={(project) => void navigate({ search: { period, ...filters, project }, replace: true })}
          />
          <ModelField
            label="Model"
            emptyLabel="All"
            value={filters.model}
            onChange={(model) => void navigate({ search: { period, ...filters, model }, replace: true })}
          />
        </div>
        <SegmentedControl
          aria-label="Period"
          data={periodNames.map((value) => ({ value, label: periods[value].label }))}
          value={period}
          onChange={(value) => void navigate({ search: { period: parsePeriod(value), ...filters }, replace: true })}
        />
      </PageHeader>
      <QueryNotice query={query} errorTitle="The figures could not be loaded." />
      {figures !== undefined && (
        <div className="sections" aria-busy={query.isPlaceholderData}>
          <FigureTiles figures={figures} filters={filters} />
          <div className="overview">
            <Attention />
            {figures.total.requests > 0 ? (
              <FigureCharts figures={figures} />
            ) : filters.project === '' && filters.model === '' ? (
              <NextSteps period={chosen.label} />
            ) : (
              <p className="empty note">No request matches the filters.</p>
            )}
          </div>
        </div>
      )}
    </>
  );
}
