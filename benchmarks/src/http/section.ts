import { openArena } from './arena.ts';
import { httpReport } from './report.ts';
import { runRounds } from './rounds.ts';

/** Servers and load, from start to table. */
export async function httpSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const arena = await openArena();
  try {
    const length = quick
      ? { rounds: 1, ms: 300, warmUpMs: 100, compileMs: 500 }
      : { rounds: 15, ms: 400, warmUpMs: 100, compileMs: 4000 };
    return httpReport(await runRounds(arena, { ...length, say }), arena.out);
  } finally {
    await arena.close();
  }
}
