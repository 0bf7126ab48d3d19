// Fetches MaskBench and the JSON-Schema-Test-Suite from GitHub into a folder that is not committed, and LLGuidance from PyPI into a
// virtual environment beside them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const repository = 'https://github.com/guidance-ai/jsonschemabench.git';
const commit = 'ba103c73756198dd9b149ddc7db7867da7a077f6';
const suite = 'https://github.com/json-schema-org/JSON-Schema-Test-Suite.git';
const suiteCommit = '44401e0c046704b476ec9d2e2fccdaee618f259d';
const folder = fileURLToPath(new URL('../../.data/', import.meta.url));
const run = (program: string, ...args: string[]): void => {
  execFileSync(program, args, { cwd: folder, stdio: 'inherit' });
};

mkdirSync(folder, { recursive: true });
if (!existsSync(`${folder}maskbench`)) {
  rmSync(`${folder}jsonschemabench`, { recursive: true, force: true });
  run('git', 'clone', '--filter=blob:none', '--no-checkout', repository);
  run('git', '-C', 'jsonschemabench', 'sparse-checkout', 'set', 'maskbench/data');
  run('git', '-C', 'jsonschemabench', 'checkout', commit);
  run('mv', 'jsonschemabench/maskbench', 'maskbench');
  rmSync(`${folder}jsonschemabench`, { recursive: true });
}
if (!existsSync(`${folder}JSON-Schema-Test-Suite`)) {
  run('git', 'clone', '--filter=blob:none', '--no-checkout', suite);
  run('git', '-C', 'JSON-Schema-Test-Suite', 'checkout', suiteCommit);
}
if (!existsSync(`${folder}venv`)) run('python3', '-m', 'venv', 'venv');
run('venv/bin/pip', 'install', '--quiet', 'llguidance==1.9.1', 'tiktoken==0.14.0', 'numpy');
