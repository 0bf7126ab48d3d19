import type { CounterSeries } from './counter.ts';
import type { HistogramSeries } from './histogram.ts';
import type { ServerMetrics } from './server-metrics.ts';

export interface RequestLabels {
  readonly method: string;
  readonly status: number;
  /** Empty without an error. */
  readonly code: string;
  /** Undefined without the label `project`. */
  readonly project: string | undefined;
}

/** The series of the requests to a route. Most requests to a route have the same labels: the last series is found without a lookup. */
export class RouteSeries {
  readonly duration: HistogramSeries;
  readonly #metrics: ServerMetrics;
  readonly #route: string;
  #last: (RequestLabels & { readonly series: CounterSeries }) | undefined = undefined;

  constructor(metrics: ServerMetrics, route: string) {
    this.#metrics = metrics;
    this.#route = route;
    this.duration = metrics.requestDuration.series(route);
  }

  requests({ method, status, code, project }: RequestLabels): CounterSeries {
    const last = this.#last;
    const isLast = last?.status === status && last.method === method && last.code === code && last.project === project;
    if (isLast) return last.series;
    const labels = [method, this.#route, String(status), code];
    const series = this.#metrics.requests.series(...(project === undefined ? labels : [...labels, project]));
    this.#last = { method, status, code, project, series };
    return series;
  }
}
