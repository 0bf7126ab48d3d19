export function openApiDocument(_endpoints: unknown, _version: string): unknown {
  return {};
}
