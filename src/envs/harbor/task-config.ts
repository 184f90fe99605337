import { z } from 'zod';

const text = z.string();
const seconds = z.number().positive();
const variables = z.record(text, text);

const network = {
  network_mode: z.enum(['public', 'no-network', 'allowlist']).optional(),
  allowed_hosts: z.array(text).optional(),
};

function isAllowlisted({
  network_mode: mode,
  allowed_hosts: hosts,
}: {
  network_mode?: unknown;
  allowed_hosts?: unknown;
}) {
  return hosts === undefined || mode === 'allowlist';
}
const allowlistRule = { error: 'allowed_hosts needs network_mode = "allowlist"', path: ['allowed_hosts'] };

const mcpServerSchema = z
  .looseObject({
    name: text,
    transport: z.enum(['stdio', 'sse', 'streamable-http', 'http']).default('sse'),
    url: text.optional(),
    command: text.optional(),
    args: z.array(text).optional(),
  })
  .refine(({ transport, url, command }) => (transport === 'stdio' ? command !== undefined : url !== undefined), {
    error: 'a server needs a command with transport = "stdio", and a url with the others',
  });

const healthcheckSchema = z.looseObject({ command: text, timeout_sec: seconds.optional() });

const environmentSchema = z
  .looseObject({
    ...network,
    build_timeout_sec: seconds.optional(),
    docker_image: text.optional(),
    os: z.preprocess(
      value => (typeof value === 'string' ? value.toLowerCase() : value),
      z.enum(['linux', 'windows']).default('linux'),
    ),
    cpus: z.number().positive().optional(),
    memory_mb: z.int().positive().optional(),
    storage_mb: z.int().positive().optional(),
    gpus: z.int().nonnegative().optional(),
    env: variables.optional(),
    mcp_servers: z.array(mcpServerSchema).optional(),
    healthcheck: healthcheckSchema.optional(),
  })
  .refine(isAllowlisted, allowlistRule);

const verifierSchema = z
  .looseObject({
    ...network,
    timeout_sec: seconds.optional(),
    env: variables.optional(),
    environment_mode: z.enum(['shared', 'separate']).optional(),
    environment: environmentSchema.optional(),
  })
  .refine(isAllowlisted, allowlistRule)
  .refine(({ environment_mode: mode, environment }) => mode !== 'shared' || environment === undefined, {
    error: 'environment_mode = "shared" and [verifier.environment] exclude each other',
    path: ['environment_mode'],
  });

const agentSchema = z.looseObject({ ...network, timeout_sec: seconds.optional() }).refine(isAllowlisted, allowlistRule);

const stepSchema = z.looseObject({
  name: text.regex(/^(?!\.{1,2}$)[^<>:"/\\|?*]*[^<>:"/\\|?*. ]$/, 'expected a folder name of its own'),
  agent: agentSchema.optional(),
  verifier: verifierSchema.optional(),
});

/** `task.toml` of Harbor, schema 1.1 to 1.4. Members that are not known are left alone, as Harbor does. */
export const harborConfigSchema = z.looseObject({
  schema_version: text.optional(),
  /** The name of `schema_version` before 1.1. */
  version: text.optional(),
  task: z
    .looseObject({
      name: text.regex(/^[a-zA-Z0-9][\w.-]*\/[a-zA-Z0-9][\w.-]*$/, 'expected org/name, such as harbor/hello-world'),
      description: text.optional(),
    })
    .optional(),
  metadata: z.record(text, z.unknown()).optional(),
  verifier: verifierSchema.optional(),
  agent: agentSchema.optional(),
  environment: environmentSchema.optional(),
  solution: z.looseObject({ env: variables.optional() }).optional(),
  steps: z.array(stepSchema).optional(),
});
export type HarborConfig = z.infer<typeof harborConfigSchema>;
