import { describe, expect, it } from 'vitest';
import { wantedPackages } from './image/wanted-packages.ts';
import { readPytest, readReward } from './reward.ts';

describe('rewards', () => {
  it.each([
    ['0.5', '1', { reward: 0.5, problem: null }],
    ['{"reward": 1, "time": 12}', null, { reward: 1, problem: null }],
    ['{"reward": 0, "style": 1}', '1', { reward: 0, problem: null }],
    ['{"a": 1, "b": 0}', null, { reward: 0.5, problem: null }],
    ['{"a": "x"}', '1', { reward: null, problem: 'reward.json names no finite number' }],
    ['[1]', '1', { reward: null, problem: 'reward.json holds neither a finite number nor an object' }],
    ['1e999', '1', { reward: null, problem: 'reward.json holds neither a finite number nor an object' }],
    ['{', '1', { reward: null, problem: 'reward.json is no JSON: {' }],
    [null, ' 1\n', { reward: 1, problem: null }],
    [null, 'yes', { reward: null, problem: 'reward.txt holds no number: yes' }],
    [null, '', { reward: null, problem: 'reward.txt holds no number: ' }],
    [null, null, { reward: null, problem: 'neither /logs/verifier/reward.json nor reward.txt was written' }],
  ])('[HAR-7] are read from reward.json %j, else from reward.txt %j', (json, text, read) => {
    expect(readReward(json, text)).toMatchObject(read);
  });

  it('[HAR-9] of terminal-bench are the tests of pytest that passed', () => {
    const summary =
      '=== short test summary info ===\nPASSED t/a.py::one\nFAILED t/a.py::two - assert 1 == 2\nERROR t/a.py::three';
    const { reward, checks } = readPytest(`PASSED printed by the agent\n${summary}`);
    expect(reward).toBeCloseTo(1 / 3);
    expect(checks.map(({ name, pass }) => [name, pass])).toEqual([
      ['a.py::one', true],
      ['a.py::two', false],
      ['a.py::three', false],
    ]);
    expect(readPytest('nothing').problem).toBe('pytest printed no summary of its tests');
  });
});

describe('packages that scripts install', () => {
  it.each([
    [
      'apt-get update && apt-get install -y --no-install-recommends \\\n  curl git=1:2.3 \\\n && rm -rf /var',
      [['curl', 'git']],
      [],
    ],
    ['sudo DEBIAN_FRONTEND=x apt install jq', [['jq']], []],
    [
      'pip3 install --no-cache-dir -q pytest==8.4.1 "pandas>=2,<3" 2>/dev/null || true',
      [],
      [['pytest==8.4.1', 'pandas>=2,<3']],
    ],
    ['/opt/venv/bin/pip install -r reqs.txt .', [], [['numpy==1', 'scipy']]],
    ['python3 -m pip install uvicorn[standard]', [], [['uvicorn[standard]']]],
    [
      'uvx -p 3.13 -w pytest==8.4.1 -w pytest-json-ctrf==0.3.5 pytest --ctrf /x /tests',
      [],
      [['pytest==8.4.1', 'pytest-json-ctrf==0.3.5']],
    ],
    [
      'uv init\nuv add pytest==8.4.1 requests\nuv run --with rich pytest',
      [],
      [['pytest==8.4.1', 'requests'], ['rich']],
    ],
    ['uvx ruff@0.5.0 check', [], [['ruff==0.5.0']]],
    ['# apt-get install nothing\necho apt-get', [], []],
  ])('[HAR-10] are found in %j', (script, debian, python) => {
    expect(wantedPackages(script, () => 'numpy==1\n# none\nscipy\n-e .\n')).toMatchObject({ debian, python });
  });
});
