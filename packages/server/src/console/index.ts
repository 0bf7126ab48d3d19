export { consoleFiles } from './console-files.ts';
