/**
 * The verifier of an exported task, in Python: the same checks as those of a terminal world. Files are compared with what the task began
 * with; a command of a check runs as the user of the task over hidden files, and the home is put back after it.
 */
export const verifierSource = String.raw`import hashlib, json, os, re, shutil, subprocess, sys

with open('/tests/checks.json') as file:
    task = json.load(file)
home = task['home']


def node(path):
    if os.path.islink(path):
        return ['link', os.readlink(path)]
    if os.path.isdir(path):
        return ['folder', os.stat(path).st_mode & 0o7777]
    if os.path.isfile(path):
        with open(path, 'rb') as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        return ['file', os.stat(path).st_mode & 0o7777, digest]
    return ['special'] if os.path.exists(path) else None


def tree():
    found = {}
    for folder, folders, files in os.walk(home):
        for name in folders + files:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, home)] = node(path)
    return found


def fits(patterns, path):
    return any(re.search(pattern, path) for pattern in patterns)


def bare(text):
    return '\n'.join(line.rstrip() for line in text.split('\n')).rstrip()


def run(check):
    backup = '/tmp/.home-backup'
    shutil.rmtree(backup, ignore_errors=True)
    subprocess.run(['cp', '-a', home, backup], check=True)
    try:
        for file in check.get('files', []):
            path = os.path.join(home, file['path'])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if 'link' in file:
                os.symlink(file['link'], path)
            elif 'content' in file:
                with open(path, 'wb') as out:
                    out.write(bytes.fromhex(file['content']))
                os.chmod(path, file['mode'])
            else:
                os.makedirs(path, exist_ok=True)
            os.chown(path, 1000, 1000, follow_symlinks=False)
        result = subprocess.run(
            ['setpriv', '--reuid', '1000', '--regid', '1000', '--clear-groups', 'bash', '-c', check['command']],
            cwd=home, env={**os.environ, **task['environment']}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        return result.returncode == check.get('exitCode', 0) and bare(result.stdout.decode(errors='replace')) == bare(check['output'])
    finally:
        subprocess.run(['cp', '-a', '--remove-destination', backup + '/.', home], check=True)


def holds(check):
    kind = check['kind']
    if kind == 'run':
        return run(check)
    path = os.path.join(home, check['path'])
    found = node(path)
    if kind == 'text':
        if not found or found[0] != 'file':
            return False
        with open(path, errors='replace', newline='') as file:
            return bare(file.read()) == bare(check['text'])
    if kind == 'mode':
        return bool(found) and found[0] in ('file', 'folder') and found[1] == check['mode']
    if kind == 'link':
        return found == ['link', check['target']]
    if kind == 'folder':
        return bool(found) and found[0] == 'folder'
    if kind == 'absent':
        return found is None
    return found is not None and task['start'].get(check['path']) == found


after = tree()
names = set(after) | set(task['start'])
changed = sorted(name for name in names if after.get(name) != task['start'].get(name))
effects = [name for name in changed if not fits(task['incidental'], name) and not fits(task['allow'], name)
           # A folder in which something allowed lies has to be there.
           and not any(fits(task['allow'], other) and other.startswith(name + '/') for other in changed)]
failed = [check['name'] for check in task['checks'] if not holds(check)]
for name in failed:
    print('failed:', name)
for name in effects:
    print('changed:', name)
os.makedirs('/logs/verifier', exist_ok=True)
with open('/logs/verifier/reward.txt', 'w') as file:
    file.write('0\n' if failed or effects else '1\n')
sys.exit(1 if failed or effects else 0)
`;
