import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { histogramBuckets } from './histogram-buckets.ts';

const sampleMs = 100;

/** Adds metrics of the memory, CPU time and event-loop delay of this process. Returns a function that stops the measurement. Node.js only. */
export function observeProcess(registry: Registry, { version }: { readonly version: string }): () => void {
  const registers = [registry];
  new Gauge({
    name: 'modelwire_build_info',
    help: 'Always 1. The labels contain the versions.',
    labelNames: ['version', 'node'],
    aggregator: 'max',
    registers,
  }).set({ version, node: process.versions.node }, 1);
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process in seconds since the Unix epoch.',
    aggregator: 'first',
    registers,
  }).set(performance.timeOrigin / 1000);
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process in seconds.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  for (const { name, help, read } of memoryGauges) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }
  const delay = new Histogram({
    name: 'modelwire_event_loop_delay_seconds',
    help: 'Delay of a timer that runs every 100 ms. While the event loop is blocked, no request is handled.',
    buckets: histogramBuckets.eventLoopDelay,
    registers,
  });
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    delay.observe(Math.max(0, now - before - sampleMs) / 1000);
    before = now;
  }, sampleMs);
  timer.unref();
  return () => clearInterval(timer);
}

const memoryGauges = [
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process in bytes.',
    read: () => process.memoryUsage.rss(),
  },
  {
    name: 'nodejs_heap_size_used_bytes',
    help: 'Used V8 heap in bytes.',
    read: () => process.memoryUsage().heapUsed,
  },
  {
    name: 'nodejs_external_memory_bytes',
    help: 'Memory outside of the V8 heap in bytes.',
    read: () => process.memoryUsage().external,
  },
] as const;
