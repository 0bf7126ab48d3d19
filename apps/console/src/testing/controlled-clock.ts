/**
 * Loaded before a server with `--import`: the process that started it moves its clocks, by messages with the difference to the clock of the
 * system in milliseconds. The environment has the first one.
 */
const { now } = Date;
const monotonic = performance.now.bind(performance);
const firstOffsetMs = Number(process.env['CLOCK_OFFSET_MS']);
let offsetMs = firstOffsetMs;

Date.now = () => now() + offsetMs;
performance.now = () => monotonic() + offsetMs - firstOffsetMs;
process.on('message', (received: number) => {
  offsetMs = received;
  process.send?.(received);
});
// A seeded server is of no use without the process that seeds it.
process.on('disconnect', () => process.exit());
process.channel?.unref();
