#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { processTerminal } from './process-terminal.ts';

// What was compiled once is not compiled again: half of the start-up of commands that load a client.
enableCompileCache();
const { run } = await import('./run.ts');

const code = await run(process.argv.slice(2), processTerminal());
process.exitCode = code;
// A pipe that is still open on stdin, or a kept-alive connection, must not hold the shell.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
