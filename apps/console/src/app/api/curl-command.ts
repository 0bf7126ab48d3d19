/** The shell command that sends a JSON body to a URL of the API. The key comes from the environment. */
export function curlCommand(url: string, body: unknown, space = 0): string {
  return `curl ${url} \\
  -H "Authorization: Bearer $MODELWIRE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body, null, space).replaceAll("'", "'\\''")}'`;
}
