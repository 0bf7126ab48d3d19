import { validate } from '@readme/openapi-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** The problems that two third-party linters find in an OpenAPI document, one line each. */
export async function openapiProblems(url: string): Promise<string[]> {
  const source = await (await fetch(url)).text();
  const parsed = await validate(JSON.parse(source));
  const errors = parsed.valid ? [] : parsed.errors;
  const problems = await lintFromString({
    source,
    absoluteRef: url,
    config: await createConfig({ extends: ['spec'] }),
  });
  return [
    ...[...errors, ...parsed.warnings].map(({ message }) => `@readme/openapi-parser: ${message}`),
    ...problems.map(({ ruleId, message, location }) => `Redocly ${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
  ];
}
