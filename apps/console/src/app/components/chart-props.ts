export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** A color of the style sheet. */
  readonly color: 'series-1' | 'series-2' | 'series-3' | 'series-bad';
}

export interface ChartProps {
  readonly title: string;
  /** The steps of time, oldest first. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Lines of a measure, or bars of counts that are stacked. Default: bars. */
  readonly kind?: 'bars' | 'lines';
  /** Formats a value with its unit. Default: `formatNumber`. */
  readonly format?: (value: number) => string;
}
