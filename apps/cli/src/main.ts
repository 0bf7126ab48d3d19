#!/usr/bin/env node
// An older Node.js has no `enableCompileCache` to import by name.
import * as nodeModule from 'node:module';

// `engines` in package.json states the same version. Nothing else is loaded before this check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`modelwire requires Node.js 22.19 or newer. This is Node.js ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  // Compiled code is cached: this halves the start-up time of commands that load a client.
  nodeModule.enableCompileCache();
  void import('./program.ts');
}
