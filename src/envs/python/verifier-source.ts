/**
 * What runs in the process of one verifier, as a part of the program of its worker: it takes away what a verifier must not
 * have, then runs it.
 */
export const verifierSource = String.raw`
# ---- in the process of one verifier

programs = {'subprocess.Popen', 'os.system', 'os.exec', 'os.fork', 'os.forkpty', 'os.posix_spawn', 'os.spawn', 'pty.spawn'}

def is_loopback(host):
    if isinstance(host, bytes):
        host = host.decode('ascii', 'replace')
    try:
        return host == 'localhost' or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

def create_guard(port):
    def guard(event, details):
        if event in programs:
            raise PermissionError('a verifier may not start programs')
        if event in ('socket.connect', 'socket.sendto'):
            place = details[1]
            if not (isinstance(place, tuple) and is_loopback(place[0]) and place[1] == port):
                raise PermissionError(f'a verifier may reach only the state of its app, not {place!r}')
        elif event == 'socket.getaddrinfo' and details[0] is not None and not is_loopback(details[0]):
            raise PermissionError(f'a verifier may reach only the state of its app, not {details[0]!r}')
    return guard

def limit(name, value):
    try:
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))
    except (AttributeError, OSError, ValueError):
        pass

def confine(told, said):
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for place in (0, 1, 2):
        os.dup2(nothing, place)
    first, last = sorted((told, said))
    for start, stop in ((3, first), (first + 1, last), (last + 1, 1024)):
        os.closerange(start, stop)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Says where it hangs, also inside of C code.
    faulthandler.register(signal.SIGUSR1, file=said, all_threads=False)
    limit('RLIMIT_CORE', 0)
    limit('RLIMIT_FSIZE', 0)
    limit('RLIMIT_NOFILE', 64)
    limit('RLIMIT_CPU', options['seconds'])
    limit('RLIMIT_AS', options['memory'])
    # Tasks are counted for a user: outside of a sandbox that is everything that runs in our name, so none may be added.
    limit('RLIMIT_NPROC', options['tasks'] if sandboxed else 0)
    if sandboxed and os.getuid() == 0:
        stranger = options['stranger']
        os.setgroups([])
        os.setresgid(stranger, stranger, stranger)
        os.setresuid(stranger, stranger, stranger)
    filter_calls()

def filter_calls():
    """Refuses system calls whose effects outlive this process (shared memory, queues, keys), and new namespaces."""
    if options['filter'] is None:
        return
    code = base64.b64decode(options['filter'])
    held = ctypes.create_string_buffer(code, len(code))
    class Program(ctypes.Structure):
        _fields_ = [('length', ctypes.c_ushort), ('filter', ctypes.c_void_p)]
    program = Program(len(code) // 8, ctypes.addressof(held))
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    # PR_SET_NO_NEW_PRIVS, then PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
    done = prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, ctypes.addressof(program), 0, 0) == 0
    if sandboxed and not done:
        raise OSError('no system call filter can be set')

def load(file):
    with open(file, 'rb') as source:
        code = compile(source.read(), file, 'exec', dont_inherit=True)
    module = types.ModuleType('__verifier__')
    module.__file__ = file
    sys.modules['__verifier__'] = module
    exec(code, module.__dict__)
    return module

def line_of(error, file):
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None

def clip(text):
    text = text[:longest + 1].encode('utf-8', 'backslashreplace').decode('utf-8')
    return text if len(text) <= longest else text[:longest] + '…'

def is_pair(value):
    return type(value) is tuple and len(value) == 2 and type(value[0]) is bool and isinstance(value[1], str)

def describe(error):
    text = str(error.msg if isinstance(error, SyntaxError) else error)
    return clip(f'{type(error).__name__}: {text}' if text else type(error).__name__)

def run(file, folder, url):
    try:
        os.chdir(folder)
        sys.path.insert(0, os.path.dirname(file))
        returned = load(file).verify(url)
        if is_pair(returned):
            return {'kind': 'answer', 'passed': returned[0], 'message': clip(str.__str__(returned[1]))}
        return {'kind': 'garbage', 'returned': clip(repr(returned))}
    except BaseException as error:
        return {'kind': 'threw', 'error': describe(error), 'line': line_of(error, file)}

def be_verifier(port, told, said):
    write, leave, dump = os.write, os._exit, json.dumps
    try:
        confine(told, said)
        sys.addaudithook(create_guard(port))
        url = f'http://127.0.0.1:{port}'
        # What is done once is not paid for again: memory that is written to is copied when it is first touched.
        requests.get(url + '/api/state').json()
        compile('def verify(server_url):\n    return True, ""', 'warm', 'exec')
        write(said, b'\n')
        with os.fdopen(told, 'rb') as orders:
            order = json.loads(orders.readline())
        answer = run(order['file'], order['folder'], url)
        rest = (dump({**answer, 'id': order['id']}) + '\n').encode()
        while rest:
            rest = rest[write(said, rest):]
        leave(0)
    finally:
        leave(70)
`;
