// Before a package is built: what an earlier build left and this one does not make must not be published.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
