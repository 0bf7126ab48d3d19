/** The folder of the built console, as a file URL: `index.html`, and `assets/` whose file names contain a hash of their content. */
export const consoleDirectory = new URL('../built/', import.meta.url);
