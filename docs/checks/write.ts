// `npm run docs`: writes the pages and the picture that are made from sources.
import { writeMade } from './write-made.ts';

await writeMade();
