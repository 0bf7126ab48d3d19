import { keyRoles } from '@modelwire/ports';
import * as z from 'zod';
import { plainURL } from './common-fields.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

const issuer = plainURL.refine((text) => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || loopbackHosts.includes(hostname);
}, 'expected an https URL: tokens must not be sent unencrypted');

export const oidc = z
  .strictObject({
    issuer: issuer.describe(
      'Issuer URL of the provider; `/.well-known/openid-configuration` below it has its endpoints.',
    ),
    clientId: z.string().min(1).describe('Client ID of this server at the provider.'),
    clientSecret: z.string().min(1).optional().describe('Client secret. Default: none, for a public client.'),
    clientSecretEnv: z
      .string()
      .min(1)
      .optional()
      .describe('Name of the environment variable that contains the client secret. Alternative to `clientSecret`.'),
    publicUrl: plainURL.describe(
      'URL at which browsers reach this server, such as `https://models.example.com`. Register `<publicUrl>/console/api/sign-in/callback` as redirect URI at the provider.',
    ),
    name: z
      .string()
      .min(1)
      .optional()
      .describe('Name of the provider on the sign-in page. Default: the host of `issuer`.'),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'a scope without spaces'))
      .optional()
      .describe('Scopes to request besides `openid`. Default: `profile` and `email`.'),
    groupsClaim: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Claim with the groups of a person: a string or a list of strings. `email` counts only if the provider has verified it. Default `groups`.',
      ),
    access: z
      .array(
        z.strictObject({
          group: z.string().min(1).describe('Value of the claim.'),
          role: z.enum(keyRoles).describe('What its members may do, like the role of a key.'),
          project: z
            .string()
            .min(1)
            .optional()
            .describe('ID of the project that they have access to. Default `default`.'),
        }),
      )
      .min(1)
      .describe('Who has access: the first entry whose group a person is in. Everybody else is refused.'),
    sessionHours: z
      .number()
      .positive()
      .max(168)
      .optional()
      .describe(
        'Hours until a person has to sign in again, and changes at the provider take effect; at least a minute. Default 8.',
      ),
  })
  .refine(({ clientSecret, clientSecretEnv }) => clientSecret === undefined || clientSecretEnv === undefined, {
    message: 'set either clientSecret or clientSecretEnv, not both',
    path: ['clientSecretEnv'],
  });

/** With the secret of `clientSecretEnv`. */
export type OidcSettings = Omit<z.output<typeof oidc>, 'clientSecretEnv'>;
