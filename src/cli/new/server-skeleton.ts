/** The files of a server for OpenEnv beside the app that it serves, by path. */
export function serverSkeleton(name: string, version: string): Readonly<Record<string, string>> {
  const filled = Object.entries(files).map(([path, text]) => [
    path,
    text.replaceAll('$NAME', name).replaceAll('$VERSION', version),
  ]);
  return Object.fromEntries(filled) as Record<string, string>;
}

const openEnvYaml = `spec_version: 1
name: $NAME
type: space
runtime: espalier
app: server.app:main
port: 8000
`;

const packageJson = `{
  "name": "$NAME",
  "private": true,
  "type": "module",
  "scripts": {
    "serve": "espalier serve ./$NAME.ts --port 8000 --out runs/served",
    "check": "espalier check ./$NAME.ts"
  },
  "dependencies": {
    "espalier": "file:espalier-$VERSION.tgz"
  }
}
`;

const pyproject = `[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "openenv-$NAME"
version = "0.1.0"
description = "The app $NAME as an environment, served by Espalier"
requires-python = ">=3.10"
dependencies = [
    # The client. The server itself runs on Node.
    "openenv-core>=0.2.2",
]

[project.scripts]
server = "server.app:main"

[tool.setuptools]
packages = ["server"]
`;

const serverApp = `"""Starts the server: \`uv run server\`, or \`python -m server.app\`. It runs on Node, with the packages of package.json."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve $NAME by OpenEnv.")
    parser.add_argument("--host", default="127.0.0.1", help="others than this machine need ESPALIER_STUDENT_KEY")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--out", default="runs/served", help="folder of a run that keeps the episodes")
    options = parser.parse_args()
    npx = shutil.which("npx")
    if npx is None or not (FOLDER / "node_modules").exists():
        sys.exit("Expected Node and the packages of package.json. Install Node 20 or newer, and see README.md: npm install")
    os.chdir(FOLDER)
    command = [npx, "--no-install", "espalier", "serve", "./$NAME.ts"]
    command += ["--host", options.host, "--port", str(options.port), "--out", options.out]
    os.execv(npx, command)


if __name__ == "__main__":
    main()
`;

const dockerfile = `FROM node:24-slim
WORKDIR /app
COPY package.json espalier-$VERSION.tgz ./
RUN npm install --omit=dev
COPY $NAME.ts ./
EXPOSE 8000
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:8000/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
# Needs a key: docker run -e ESPALIER_STUDENT_KEY=<at least 16 random characters> -p 8000:8000 $NAME
CMD ["npx", "espalier", "serve", "./$NAME.ts", "--host", "0.0.0.0", "--port", "8000", "--out", "/app/runs/served"]
`;

const readme = `# $NAME

An environment for trainers that speak OpenEnv. The app is in \`$NAME.ts\`; Espalier serves it.

Espalier is not in the npm registry. Put its package into this folder first, made in a checkout of Espalier:

\`\`\`sh
(cd <checkout of Espalier> && npm ci && npm pack --pack-destination <this folder>)    # espalier-$VERSION.tgz
\`\`\`

\`\`\`sh
npm install
npm run check    # does the app obey the laws, are its tasks sound?
npm run serve    # http://127.0.0.1:8000
\`\`\`

Then, in Python:

\`\`\`python
from openenv.core.generic_client import GenericEnvClient

with GenericEnvClient(base_url="http://127.0.0.1:8000").sync() as client:
    result = client.reset()
    print(result.observation["instruction"])
    print(result.observation["text"])
\`\`\`

| file | what for |
| --- | --- |
| \`$NAME.ts\` | the app: state, commands, view, task templates with verifiers |
| \`openenv.yaml\`, \`pyproject.toml\`, \`server/app.py\` | what OpenEnv looks for; \`uv run server\` starts the server, too |
| \`server/Dockerfile\` | an image: \`docker build -f server/Dockerfile -t $NAME .\` |
| \`runs/served\` | the episodes, when the server has run: \`npx espalier inspect runs/served\` |

\`uv lock\` writes \`uv.lock\`. After that \`openenv validate\` has nothing to complain about.
`;

const files: Readonly<Record<string, string>> = {
  'openenv.yaml': openEnvYaml,
  'package.json': packageJson,
  'pyproject.toml': pyproject,
  'server/__init__.py': '',
  'server/app.py': serverApp,
  'server/Dockerfile': dockerfile,
  '.gitignore': 'node_modules/\nruns/\n.venv/\n',
  'README.md': readme,
};
