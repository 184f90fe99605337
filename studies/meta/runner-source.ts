/**
 * Runs one step of a policy, in Python. The view comes as a file, the action goes to standard output behind a mark that the caller drew,
 * with what the interpreter did meanwhile. A policy that ends the process, or prints another mark, gives no action.
 */
export const runnerSource = String.raw`
import json, os, sys
mark, = sys.argv[1:]
with open('/home/user/view.json') as file: view = json.load(file)
events = []
def hook(name, given):
    if name == 'import': events.append(['import', str(given[0])])
    elif name == 'open' and isinstance(given[0], str): events.append(['write' if (given[2] or 0) & 3 else 'read', given[0]])
    elif name.split('.')[0] in ('socket', 'subprocess', 'ctypes') or name in ('os.system', 'os.exec', 'os.fork', 'os.posix_spawn', 'os.listdir'): events.append(['call', name + ' ' + str(given[:1])[:80]])
out = os.dup(1)
os.dup2(2, 1)
import importlib.util
spec = importlib.util.spec_from_file_location('policy', '/home/user/policy.py')
module = importlib.util.module_from_spec(spec)
sys.addaudithook(hook)
action, problem = None, None
try:
    spec.loader.exec_module(module)
    action = module.act(view)
except BaseException as cause:
    problem = (type(cause).__name__ + ': ' + str(cause))[:300]
try: text = json.dumps({'action': action, 'problem': problem, 'events': events[:400]})
except Exception: text = json.dumps({'action': None, 'problem': 'the action is no JSON', 'events': events[:400]})
os.write(out, ('\n' + mark + text + '\n').encode())
`;

/** Lists what a source does as its syntax tree has it: imports, calls and texts. */
export const readerSource = String.raw`
import ast, json, sys
source = open('/home/user/policy.py', encoding='utf-8', errors='replace').read()
try: tree = ast.parse(source)
except SyntaxError as cause: print(json.dumps({'broken': str(cause)[:200], 'imports': [], 'names': [], 'texts': []})); sys.exit()
imports, names, texts = [], [], []
for node in ast.walk(tree):
    if isinstance(node, ast.Import): imports += [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom): imports.append(node.module or '.')
    elif isinstance(node, ast.Name): names.append(node.id)
    elif isinstance(node, ast.Attribute): names.append(node.attr)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes, int)): texts.append(str(node.value))
print(json.dumps({'broken': None, 'imports': sorted(set(imports)), 'names': sorted(set(names)), 'texts': sorted(set(texts))[:20000]}))
`;
