import { parseArgs } from 'node:util';
import { banner } from './banner.ts';
import { ConfigError } from './config/config-error.ts';
import { keepRequestsYoung } from './heap.ts';
import { keysCommand, keysHelp } from './keys-command.ts';
import { sealObjectPrototype } from './seal-object-prototype.ts';
import { readSettings } from './settings.ts';
import { start } from './start.ts';
import { openStores } from './stores.ts';

const help = `modelwire-server: the chat-completions-style model interface in front of any model

  --port <number>   port to listen at (PORT, default 8787)
  --host <address>  address to listen at (HOST, default 127.0.0.1)
  --config <file>   configuration (MODELWIRE_CONFIG, default ./modelwire.config.*)
  --help

  keys …            who may call: see keys --help

Environment:
  MODELWIRE_API_KEYS, MODELWIRE_LOG_LEVEL
  MODELWIRE_UPSTREAM_URL, MODELWIRE_UPSTREAM_API_KEY
  MODELWIRE_GGUF: a GGUF file to serve in this process (needs the package node-llama-cpp)
  MODELWIRE_MODEL_ALIASES: other names of models, such as gpt-4o=simulator,*=simulator
  MODELWIRE_DEFAULT_MODEL: serves chat requests without a model
  MODELWIRE_DATA, MODELWIRE_DATABASE_URL
  MODELWIRE_S3_BUCKET, MODELWIRE_S3_ENDPOINT, MODELWIRE_S3_REGION (AWS_REGION), MODELWIRE_S3_PREFIX,
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN: keep the bytes of files in a bucket
`;

async function main(): Promise<void> {
  sealObjectPrototype();
  if (process.argv[2] === 'keys') {
    await keys(process.argv.slice(3));
    return;
  }
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      config: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  keepRequestsYoung();
  const folder = process.cwd();
  const running = await start(await readSettings(folder, process.env, values));
  process.stdout.write(banner(running, folder));
  const stop = (): void => {
    // The second signal is from someone who does not want to wait.
    process.once('SIGINT', () => process.exit(130));
    process.once('SIGTERM', () => process.exit(143));
    running.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/** `keys …`: works on the store directly, beside a server that runs or without one. */
async function keys(args: readonly string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(keysHelp);
    return;
  }
  const stores = await openStores(await readSettings(process.cwd(), process.env));
  try {
    process.stdout.write(await keysCommand(args, stores));
  } finally {
    await stores.close();
  }
}

main().catch((error: unknown) => {
  const forPeople = error instanceof ConfigError || (error instanceof TypeError && 'code' in error);
  process.stderr.write(
    forPeople ? `${error.message}\n` : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
});
