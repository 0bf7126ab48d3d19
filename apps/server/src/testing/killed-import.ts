// Runs an import that kills its process after a number of checkpoints: `killed-import.ts <folder> <checkpoints>`.
import { readSettings } from '../config/settings.ts';
import { importFrom } from '../move/import.ts';

const [, , folder = '', checkpoints = ''] = process.argv;
let left = Number(checkpoints);
await importFrom(await readSettings(process.cwd(), process.env), folder, {
  onCheckpoint() {
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
