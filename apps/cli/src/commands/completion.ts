import { defineCommand } from '../command.ts';
import { completionScripts, SHELLS } from '../completion/scripts.ts';

export const command = defineCommand({
  arguments: [{ name: 'shell', choices: SHELLS, description: 'whose script to write' }],
  flags: {},
  description: 'Commands, flags, their values, profiles, files and the models of the server.',
  examples: [
    { what: 'bash, from now on', line: `echo 'source <(modelwire completion bash)' >> ~/.bashrc` },
    { what: 'zsh, from now on', line: `echo 'source <(modelwire completion zsh)' >> ~/.zshrc` },
    { what: 'fish, from now on', line: 'modelwire completion fish > ~/.config/fish/completions/modelwire.fish' },
  ],
  async run({ args: [shell], print }) {
    const known = SHELLS.find((each) => each === shell) ?? 'bash';
    await print.raw(completionScripts[known]);
    return undefined;
  },
});
