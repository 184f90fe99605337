/** What stands in for a base image: packages, and commands that make this machine look like it. */
export interface Base {
  readonly packages: readonly string[];
  readonly commands: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Where its shells begin. */
  readonly folder: string;
  /** How it differs from what was asked for; null when nobody will notice. */
  readonly remark: string | null;
}

const pythonLinks = ['ln -sf /usr/bin/python3 /usr/local/bin/python', 'ln -sf /usr/bin/python3 /usr/local/bin/python3'];
const python = { packages: ['python3', 'python3-pip', 'python3-venv'], commands: pythonLinks };
const compilers = ['build-essential', 'curl', 'git', 'make'];

interface Rule {
  readonly image: RegExp;
  readonly packages?: readonly string[];
  readonly commands?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly program?: string;
}

const rules: readonly Rule[] = [
  { image: /^(?:scratch|debian|ubuntu|busybox)$/ },
  { image: /\/t-bench\/ubuntu-24-04$/, packages: ['tmux', 'python3', 'curl'], folder: '/app' },
  { image: /\/t-bench\/python-3-13$/, ...python, folder: '/app', program: 'Python' },
  { image: /^(?:python|.*\/python)$/, ...python, program: 'Python' },
  { image: /^(?:ghcr\.io\/)?astral-sh\/uv$/, ...python, program: 'Python' },
  { image: /^(?:gcc|buildpack-deps)$/, packages: compilers, program: 'gcc' },
  { image: /^node$/, packages: ['nodejs', 'npm'], program: 'Node' },
  { image: /^golang$/, packages: ['golang-go', 'git'], program: 'Go' },
  { image: /^rust$/, packages: ['cargo', 'rustc', ...compilers], program: 'Rust' },
  { image: /^(?:openjdk|eclipse-temurin|maven)$/, packages: ['default-jdk-headless', 'maven'], program: 'Java' },
  { image: /^ruby$/, packages: ['ruby', ...compilers], program: 'Ruby' },
  { image: /^perl$/, packages: ['perl'], program: 'Perl' },
  { image: /^r-base$/, packages: ['r-base-core'], program: 'R' },
];

/** What this machine has for a base image; null when there is nothing like it. */
export function findBase(image: string): Base | null {
  const name = image
    .replace(/@sha256:[\da-f]+$/, '')
    .replace(/:[^/:]+$/, '')
    .replace(/^(?:docker\.io\/|library\/|public\.ecr\.aws\/docker\/library\/|mirror\.gcr\.io\/library\/)+/, '');
  const rule = rules.find(({ image: pattern }) => pattern.test(name));
  if (rule === undefined) return null;
  const { packages = [], commands = [], variables = {}, folder = '/', program = null } = rule;
  const remark = program === null ? null : `${image} is this machine with its own version of ${program}`;
  return {
    packages,
    commands: [...commands, ...(folder === '/' ? [] : [`mkdir -p ${folder}`])],
    variables,
    folder,
    remark,
  };
}
