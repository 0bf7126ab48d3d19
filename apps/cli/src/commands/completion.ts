import { defineCommand } from '../command.ts';
import { completionScripts, SHELLS } from '../completion/scripts.ts';

export const command = defineCommand({
  arguments: [{ name: 'shell', choices: SHELLS, description: 'Shell' }],
  flags: {},
  description:
    'Completes commands, options and their values, files, profiles, saved chats and the models of the server.',
  examples: [
    { what: 'Enable it in bash', line: `echo 'source <(modelwire completion bash)' >> ~/.bashrc` },
    { what: 'Enable it in zsh', line: `echo 'source <(modelwire completion zsh)' >> ~/.zshrc` },
    { what: 'Enable it in fish', line: 'modelwire completion fish > ~/.config/fish/completions/modelwire.fish' },
  ],
  async run({ args: [shell], print }) {
    const known = SHELLS.find((each) => each === shell) ?? 'bash';
    await print.raw(completionScripts[known]);
  },
});
