// For the measurements of this repository; not published.
export { createAdaptiveLimit } from '../limits/adaptive-limit.ts';
