import preset, { systemTests } from './index.js';

/** Tests that take minutes, or need programs of the operating system, such as ffmpeg or tmux: `npm run test:system`. They are isolated. */
export default {
  ...preset,
  test: { ...preset.test, isolate: true, include: [systemTests], exclude: ['**/node_modules/**'] },
};
