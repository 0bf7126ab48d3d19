import preset, { systemTests } from './index.js';

/** Tests that need programs of the operating system, such as ffmpeg or tmux: `npm run test:system`, after installing them. */
export default { ...preset, test: { ...preset.test, include: [systemTests], exclude: ['**/node_modules/**'] } };
