import { z } from 'zod';
import { actionSchema } from '../../core/action.ts';
import type { ServedEnvironment } from '../sessions/served-session.ts';
import { mostForks, supersetVerbs } from './superset.ts';

/** The version of the verbs that OpenEnv does not have. */
const supersetVersion = '1.0';

interface ServerLimits {
  readonly sessions: number;
  readonly clientSessions: number;
  readonly messageBytes: number;
  readonly idleSeconds: number;
}

export interface AboutServer {
  readonly version: string;
  readonly environments: readonly ServedEnvironment[];
  readonly limits: ServerLimits;
  /** Among the servers behind one address; null for one that stands alone. */
  readonly place: number | null;
}

/** `GET /metadata`. Clients of OpenEnv take the first members, and leave the capabilities alone. */
export function metadataOf({ version, environments, limits, place }: AboutServer): object {
  const titles = environments.map(({ environment: { id, title } }) => `${id} (${title})`);
  return {
    name: 'espalier',
    description: `Environments that snapshot, fork and roll back: ${titles.join(', ')}.`,
    version,
    documentation_url: 'https://www.npmjs.com/package/espalier',
    capabilities: {
      espalier: supersetVersion,
      environments: environments.map(({ environment: { id } }) => id),
      verbs: Object.keys(supersetVerbs),
      teacher_verbs: ['plan'],
      limits: {
        sessions: limits.sessions,
        client_sessions: limits.clientSessions,
        forks: mostForks,
        message_bytes: limits.messageBytes,
        idle_seconds: limits.idleSeconds,
      },
      ...(place === null ? {} : { place }),
    },
  };
}

/** `GET /environments`. */
export function environmentsOf(environments: readonly ServedEnvironment[]): object {
  return {
    environments: environments.map(({ environment: { id, title, templates, hasScreen }, offer }) => ({
      id,
      title,
      screen: hasScreen !== false,
      templates: templates.map(({ id: template, split, about }) => ({ id: template, split, about })),
      tools: offer.tools.map(({ name, description, input }) => ({ name, description, input_schema: input })),
    })),
  };
}

const text = { type: 'string' };

/** `GET /schema`. Trainers look at the title of the action: this one says that there are tools to be listed. */
export function schemasOf(): object {
  return {
    action: {
      title: 'CallToolAction',
      description: 'A call of a tool. An action of Espalier, such as {"kind": "click", "ref": "e4"}, is taken as well.',
      type: 'object',
      properties: {
        type: { const: 'call_tool', default: 'call_tool', type: 'string' },
        tool_name: { ...text, description: 'Name of the tool to call' },
        arguments: { type: 'object', additionalProperties: true, default: {} },
        metadata: { type: 'object', additionalProperties: true },
      },
      required: ['tool_name'],
      $defs: { EspalierAction: z.toJSONSchema(actionSchema, { io: 'input', unrepresentable: 'any' }) },
    },
    observation: {
      title: 'EspalierObservation',
      type: 'object',
      properties: {
        text: { ...text, description: 'The screen' },
        node: { type: 'integer', minimum: 0 },
        instruction: text,
        tool_name: text,
        result: {},
        error: { type: ['object', 'null'] },
        problem: { type: 'object' },
        ended: { enum: ['terminated', 'truncated'] },
        tools: { type: 'array', items: { type: 'object' } },
      },
    },
    state: {
      title: 'State',
      type: 'object',
      properties: {
        episode_id: { type: ['string', 'null'] },
        step_count: { type: 'integer', minimum: 0 },
        environment: text,
        task: text,
        session: text,
        node: { type: 'integer', minimum: 0 },
        digest: text,
      },
      required: ['episode_id', 'step_count'],
    },
  };
}

/** `GET /openapi.json`. */
export function openApiOf(version: string): object {
  const answers = (description: string): object => ({
    200: { description, content: { 'application/json': { schema: { type: 'object' } } } },
  });
  const get = (summary: string): object => ({ get: { summary, responses: answers(summary) } });
  const post = (summary: string): object => ({
    post: {
      summary,
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      responses: answers(summary),
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Espalier', version, description: 'OpenEnv, with sessions at the WebSocket /ws.' },
    paths: {
      '/reset': post('Open a world of its own and show it'),
      '/step': post('Open a world of its own and take one step in it'),
      '/state': get('The state of a world that was just opened'),
      '/schema': get('JSON Schemas of actions, observations and states'),
      '/metadata': get('What this server is, and what it can do'),
      '/environments': get('Environments, templates and tools'),
      '/health': get('Whether the server runs'),
      '/mcp': post('MCP: JSON-RPC 2.0'),
    },
  };
}
