// What failed in a run of turbo, for the end of `npm test` and `npm run check`, where a newcomer looks for it.

/** With more failed files, all tests of the package are run again. */
const maxFiles = 5;
const maxMessage = 200;

/**
 * @param tasks The tasks in turbo's summary of the run; none if it was interrupted.
 * @param tests What the reporter of the tests recorded: `{ folder, file, title, message }`, with folders relative to the repository.
 * @returns Lines to print; none if nothing failed.
 */
export function failureList(tasks, tests) {
  const ran = tasks.filter(({ execution }) => execution);
  const failed = ran.filter(({ execution }) => execution.exitCode !== 0);
  const listed = new Set(failed.filter(isTest).map(({ directory }) => directory));
  const interrupted = [...new Set(tests.map(({ folder }) => folder))].filter((folder) => !listed.has(folder));
  if (failed.length + interrupted.length === 0) return [];
  return [
    '',
    'Failures:',
    ...failed.flatMap((task) => ['', ...taskLines(task, isTest(task) ? testsOf(tests, task.directory) : [])]),
    ...interrupted.flatMap((folder) => ['', `tests of ${folder}`, ...testLines(testsOf(tests, folder))]),
    '',
    ran.length === 0 ? 'The run was interrupted.' : `${failed.length} of ${ran.length} tasks failed.`,
  ];
}

const isTest = ({ task }) => task === 'test' || task.startsWith('test:');
const testsOf = (tests, folder) => tests.filter((test) => test.folder === folder);

function taskLines({ taskId, command, directory, logFile }, tests) {
  const files = [...new Set(tests.flatMap(({ file }) => file ?? []))];
  const again = [command, ...(files.length > maxFiles ? [] : files)].join(' ');
  return [
    `${taskId.replace('//#', '')} (${directory || 'the repository'})`,
    ...testLines(tests),
    files.length > 0 ? `  run again: cd ${directory} && npx ${again}` : `  output: ${logFile}`,
  ];
}

function testLines(tests) {
  return Object.entries(Object.groupBy(tests, ({ file }) => file ?? '')).flatMap(([file, ofFile]) => [
    ...(file === '' ? [] : [`  ${file}`]),
    ...ofFile.flatMap(({ title, message }) => [`    x ${title}`, ...(message ? [`      ${shorten(message)}`] : [])]),
  ]);
}

const shorten = (message) => (message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message);
