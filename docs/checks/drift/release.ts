// Keeps what the public document and the SDK have at a release: `docs/specification-changes.md` lists what is newer.
import { writeFileSync } from 'node:fs';
import { factsFile, factsOf, publicOperations, readFacts } from './facts.ts';
import { ownOperations } from './operations.ts';

const facts = readFacts();
const source = `${facts.document.source}; npm ${facts.sdk.source}`;
writeFileSync(factsFile('release'), factsOf(publicOperations(facts), source, ownOperations()));
