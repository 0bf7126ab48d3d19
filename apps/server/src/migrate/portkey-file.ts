import * as z from 'zod';

const strategy = z.looseObject({
  mode: z.enum(['single', 'loadbalance', 'fallback', 'conditional']),
  conditions: z
    .array(
      z.looseObject({
        query: z.record(z.string(), z.unknown()),
        /** The `name` of a target. */
        then: z.string(),
      }),
    )
    .optional(),
  default: z.string().optional(),
});

const fields = {
  name: z.string().optional(),
  weight: z.number().min(0).optional(),
  /** A provider, or `@` and the slug of an integration. */
  provider: z.string().min(1).optional(),
  virtual_key: z.string().min(1).optional(),
  api_key: z.string().min(1).optional(),
  override_params: z.looseObject({ model: z.string().min(1).optional() }).optional(),
  custom_host: z.url({ protocol: /^https?$/, error: 'an http or https URL' }).optional(),
  /** Milliseconds. */
  request_timeout: z.int().min(1).optional(),
  openai_organization: z.string().optional(),
  openai_project: z.string().optional(),
  resource_name: z.string().optional(),
  deployment_id: z.string().optional(),
};

interface Target extends z.infer<z.ZodObject<typeof fields, z.core.$loose>> {
  strategy?: z.infer<typeof strategy> | undefined;
  targets?: Target[] | undefined;
}

/** What is read of a config of Portkey, and of each of its targets. Other fields are kept, so that the command can name them. */
export const portkeyFile: z.ZodType<Target> = z
  .looseObject({
    ...fields,
    strategy: strategy.optional(),
    targets: z.lazy(() => z.array(portkeyFile).min(1)).optional(),
  })
  .superRefine((target, context) => {
    const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (target.strategy && !target.targets) refuse(['targets'], 'a strategy needs targets, a list of at least one');
    if (target.targets && !target.strategy)
      refuse(['strategy'], "targets need a strategy, such as { mode: 'fallback' }");
    if (!target.targets && target.provider === undefined && target.virtual_key === undefined)
      refuse(['provider'], 'set provider, such as openai, or strategy and targets');
    const names = new Set(target.targets?.map(({ name }) => name));
    const { conditions = [], default: otherwise } = target.strategy ?? {};
    for (const [index, { then }] of conditions.entries())
      if (!names.has(then)) refuse(['strategy', 'conditions', index, 'then'], `no target has the name '${then}'`);
    if (otherwise !== undefined && !names.has(otherwise))
      refuse(['strategy', 'default'], `no target has the name '${otherwise}'`);
    if (target.strategy?.mode === 'conditional' && conditions.length === 0)
      refuse(['strategy', 'conditions'], 'the mode conditional needs conditions');
  });

export type PortkeyFile = Target;
