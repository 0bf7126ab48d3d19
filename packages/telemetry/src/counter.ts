import { Metric } from './metric.ts';

export class CounterSeries {
  value = 0;

  add(count = 1): void {
    this.value += count;
  }
}

/** A value that only increases. Its name must end in `_total`. */
export class Counter<Label extends string = string> extends Metric<Label, CounterSeries> {
  protected override readonly type = 'counter';

  protected override create(): CounterSeries {
    return new CounterSeries();
  }

  protected override valuesOf({ value }: CounterSeries): readonly number[] {
    return [value];
  }
}
