import { histogramBuckets } from './histogram-buckets.ts';
import type { Registry } from './registry.ts';

const sampleMs = 100;

/** Adds metrics of the memory, CPU time and event-loop delay of this process. Returns a function that stops the measurement. Node.js only. */
export function observeProcess(registry: Registry, { version }: { readonly version: string }): () => void {
  registry
    .gauge({
      name: 'modelwire_build_info',
      help: 'Always 1. The labels contain the versions.',
      labels: ['version', 'node'],
      merge: 'max',
    })
    .series(version, process.versions.node)
    .set(1);
  const startTime = registry.gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process in seconds since the Unix epoch.',
    merge: 'first',
  });
  startTime.series().set(performance.timeOrigin / 1000);
  const cpu = registry.counter({ name: 'process_cpu_seconds_total', help: 'CPU time of the process in seconds.' });
  const resident = registry.gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process in bytes.',
  });
  const heap = registry.gauge({ name: 'nodejs_heap_size_used_bytes', help: 'Used V8 heap in bytes.' });
  const external = registry.gauge({
    name: 'nodejs_external_memory_bytes',
    help: 'Memory outside of the V8 heap in bytes.',
  });
  const delay = registry.histogram({
    name: 'modelwire_event_loop_delay_seconds',
    help: 'Delay of a timer that runs every 100 ms. While the event loop is blocked, no request is handled.',
    buckets: histogramBuckets.eventLoopDelay,
  });
  registry.onScrape(() => {
    const memory = process.memoryUsage();
    resident.series().set(memory.rss);
    heap.series().set(memory.heapUsed);
    external.series().set(memory.external);
    const { user, system } = process.cpuUsage();
    cpu.series().value = (user + system) / 1e6;
  });
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    delay.series().record(Math.max(0, now - before - sampleMs) / 1000);
    before = now;
  }, sampleMs);
  timer.unref();
  return () => clearInterval(timer);
}
