import { join } from 'node:path';
import { pythonFolder } from './python.ts';
import { run } from './run.ts';
import { main } from './server.ts';

/** Tests with llama.cpp's server and a small model, which start all servers themselves. `programs` is the folder with Python. */
export function runLlamaTests(programs: string): Promise<boolean> {
  const env = { MODELWIRE_NODE: process.execPath, MODELWIRE_MAIN: main, PYTHONDONTWRITEBYTECODE: '1' };
  return run(join(programs, 'python'), ['-m', 'pytest', 'llama', '--durations', '5'], { cwd: pythonFolder, env });
}
