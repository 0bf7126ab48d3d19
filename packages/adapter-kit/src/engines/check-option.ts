/** @throws TypeError with the message, which names the option, unless the condition holds. */
export function checkOption(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message);
}

/** @throws TypeError for an option that is not one of the names. `path`: what the options are of, for example `models[0]`. */
export function checkOptionNames(path: string, options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    checkOption(names.includes(name), `${path} has no option '${name}'; known options: ${names.join(', ')}`);
  }
}
