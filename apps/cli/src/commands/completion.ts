import { Argument } from '@commander-js/extra-typings';
import type { Define } from '../app.ts';
import { completionScripts, SHELLS } from '../completion/scripts.ts';
import { withExamples } from '../subcommand.ts';

export const define: Define = (command, { print }) => {
  withExamples(command, {
    'Enable it in bash': `echo 'source <(modelwire completion bash)' >> ~/.bashrc`,
    'Enable it in zsh': `echo 'source <(modelwire completion zsh)' >> ~/.zshrc`,
    'Enable it in fish': 'modelwire completion fish > ~/.config/fish/completions/modelwire.fish',
  })
    .description(
      'Completes commands, options and their values, files, profiles, saved chats and the models of the server.',
    )
    .addArgument(new Argument('<shell>', 'Shell').choices(SHELLS))
    .action((shell) => print.raw(completionScripts[shell]));
};
