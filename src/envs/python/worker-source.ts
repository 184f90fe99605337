/**
 * The Python side of a verifier worker. Orders come in on file descriptor 3 and answers go out on 4, one JSON object a
 * line: what a verifier prints goes elsewhere. Code is compiled once, and run in a namespace of its own each time.
 */
export const workerSource = String.raw`
import sys
sys.path.pop(0)
import faulthandler, ipaddress, json, os, signal, threading, traceback, types
import requests

orders = os.fdopen(3, 'r', encoding='utf-8')
answers = os.fdopen(4, 'w', encoding='utf-8')
patience = float(sys.argv[1])
longest = 4000
compiled = {}

# A terminal interrupts us all; whoever started us says when to stop.
signal.signal(signal.SIGINT, signal.SIG_IGN)
# Says where it hangs, also inside of C code, and ends.
faulthandler.register(signal.SIGUSR1, chain=True)

plain_session = requests.Session.__init__
def direct_session(self, *arguments, **options):
    plain_session(self, *arguments, **options)
    self.trust_env = False
requests.Session.__init__ = direct_session

programs = {'subprocess.Popen', 'os.system', 'os.exec', 'os.fork', 'os.forkpty', 'os.posix_spawn', 'os.spawn', 'pty.spawn'}

def is_loopback(host):
    if isinstance(host, bytes):
        host = host.decode('ascii', 'replace')
    try:
        return host == 'localhost' or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

def guard(event, details):
    if event in programs:
        raise PermissionError('a verifier may not start programs')
    host = None
    if event in ('socket.connect', 'socket.sendto'):
        host = details[1][0] if isinstance(details[1], tuple) else details[1]
    elif event == 'socket.getaddrinfo':
        host = details[0]
    if host is not None and not is_loopback(host):
        raise PermissionError(f'a verifier may reach only this machine, not {host!r}')

sys.addaudithook(guard)

def load(file):
    found = os.stat(file)
    stamp = (found.st_mtime_ns, found.st_size)
    if compiled.get(file, (None,))[0] != stamp:
        with open(file, 'rb') as source:
            compiled[file] = (stamp, compile(source.read(), file, 'exec', dont_inherit=True))
    module = types.ModuleType('__verifier__')
    module.__file__ = file
    sys.modules['__verifier__'] = module
    exec(compiled[file][1], module.__dict__)
    return module

def lies_in(module, folder):
    places = [getattr(module, '__file__', None), *(getattr(module, '__path__', None) or [])]
    return any(isinstance(place, str) and place.startswith(folder + os.sep) for place in places)

def line_of(error, file):
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None

def clip(text):
    text = text.encode('utf-8', 'backslashreplace').decode('utf-8')
    return text if len(text) <= longest else text[:longest] + '…'

def is_pair(value):
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], bool) and isinstance(value[1], str)

def describe(error):
    text = str(error.msg if isinstance(error, SyntaxError) else error)
    return clip(f'{type(error).__name__}: {text}' if text else type(error).__name__)

def run(order):
    file, folder = order['file'], order['folder']
    path, before = list(sys.path), set(sys.modules)
    faulthandler.dump_traceback_later(patience, exit=True)
    try:
        os.chdir(folder)
        sys.path.insert(0, os.path.dirname(file))
        returned = load(file).verify(order['url'])
        if is_pair(returned):
            return {'kind': 'answer', 'passed': returned[0], 'message': clip(returned[1])}
        return {'kind': 'garbage', 'returned': clip(repr(returned))}
    except BaseException as error:
        return {'kind': 'threw', 'error': describe(error), 'line': line_of(error, file)}
    finally:
        faulthandler.cancel_dump_traceback_later()
        sys.path[:] = path
        # Two apps may have modules of one name.
        for name in set(sys.modules) - before:
            if name == '__verifier__' or lies_in(sys.modules[name], folder):
                del sys.modules[name]

def say(answer):
    answers.write(json.dumps(answer) + '\n')
    answers.flush()

say({'kind': 'ready'})
for line in orders:
    order = json.loads(line)
    answer = run(order)
    # A thread that was left running would take time from whoever comes next.
    say({**answer, 'id': order['id'], 'spent': threading.active_count() > 1})
os._exit(0)
`;
