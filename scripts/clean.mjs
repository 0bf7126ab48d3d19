// Runs before the build of a package: removes files of an earlier build, which must not be published.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
