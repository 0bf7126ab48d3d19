/** The URL of the console. The server writes it into `<base>`, so that the console works under any path. */
export const consoleURL = new URL('.', document.baseURI);

/** The base URL of the API, as users configure it in their clients. */
export const apiBaseURL = new URL('../v1', consoleURL).href;

/** The API reference that the server serves. */
export const referenceURL = new URL('../docs', consoleURL).href;
