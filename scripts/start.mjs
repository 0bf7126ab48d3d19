// `npm start`: builds the console if needed, and runs the server from its source with the arguments given here.
import { buildConsole } from './build-console.mjs';

try {
  buildConsole();
} catch (error) {
  process.stderr.write(`${error.message}\nThe server starts without it, or with an older build.\n`);
}
await import('../apps/server/src/main.ts');
