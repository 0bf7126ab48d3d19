// Keeps what the public document and the SDK have at a release: `docs/specification-changes.md` lists what is newer.
import { writeFileSync } from 'node:fs';
import { factsFile, factsOf, publicOperations, readFacts, sourceOf } from './facts.ts';
import { ownOperations } from './operations.ts';

const facts = readFacts();
writeFileSync(factsFile('release'), factsOf(publicOperations(facts), sourceOf(facts), ownOperations()));
