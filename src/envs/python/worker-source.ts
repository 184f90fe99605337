import { verifierSource } from './verifier-source.ts';

/**
 * The Python side of a verifier worker. Orders come in on file descriptor 3 and answers go out on 4, one JSON object a
 * line. The warm process never runs a verifier itself: it forks for each, serves the state to it on a port of its own, and
 * reads what it says from a pipe. Nothing that a verifier does to its process is there for the next one.
 */
export const workerSource = String.raw`
import sys
sys.path.pop(0)
import base64, collections, ctypes, datetime, faulthandler, gc, ipaddress, json, os, re, resource, select, signal, socket, time, traceback, types
import requests

options = json.loads(sys.argv[1])
sandboxed = options['sandboxed']
# Everything that can be signalled is ended after each verifier: that must be a world of our own.
if sandboxed and not (os.getppid() == 1 and os.getpid() < 100 and [name for _, name in socket.if_nameindex()] == ['lo']):
    sys.exit('the sandbox has no processes and network of its own')

longest = 4000
most_said = 200000
most_asked = 65536

# A terminal interrupts us all; whoever started us says when to stop.
signal.signal(signal.SIGINT, signal.SIG_IGN)

def control(option, value):
    try:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except Exception:
        pass

# A verifier may not look into this process (PR_SET_DUMPABLE), and what it leaves behind becomes ours to end (PR_SET_CHILD_SUBREAPER).
control(4, 0)
control(36, 1)

plain_session = requests.Session.__init__
def direct_session(self, *arguments, **options):
    plain_session(self, *arguments, **options)
    self.trust_env = False
requests.Session.__init__ = direct_session

${verifierSource}
# ---- in the warm process

def head(status, length):
    return f'HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n'.encode()

class Desk:
    """Answers what a verifier asks of its app: the state, which it may read and not write."""
    def __init__(self, listener, state):
        self.listener, self.wrote = listener, None
        self.state = None if state is None else state.encode('utf-8', 'surrogatepass')
        self.open = {}

    def reply(self, request):
        words = request.split(b'\r\n', 1)[0].decode('latin-1').split(' ')
        method, path = words[0], (words[1] if len(words) > 1 else '')
        path = path.split('?')[0]
        body = b''
        if method not in ('GET', 'HEAD'):
            self.wrote = self.wrote or f'{method} {path}'[:200]
            status, body = '405 Method Not Allowed', b'{"error": "A verifier may only read."}'
        elif path != '/api/state':
            status, body = '404 Not Found', b'{"error": "A verifier may read /api/state only."}'
        elif self.state is None:
            status, body = '404 Not Found', b'{"error": "No state was pushed yet."}'
        else:
            status, body = '200 OK', self.state
        return head(status, len(body)) + (b'' if method == 'HEAD' else body)

    def accept(self, poll):
        try:
            connection = self.listener.accept()[0]
        except OSError:
            return
        if len(self.open) >= 16:
            return connection.close()
        connection.setblocking(False)
        self.open[connection.fileno()] = [connection, b'', None]
        poll.register(connection, select.POLLIN)

    def serve(self, poll, place):
        connection, asked, answer = entry = self.open[place]
        try:
            if answer is None:
                data = connection.recv(65536)
                asked = entry[1] = asked + data
                if not data or len(asked) > most_asked:
                    raise OSError
                if b'\r\n\r\n' not in asked:
                    return
                answer = entry[2] = memoryview(self.reply(asked))
                poll.modify(connection, select.POLLOUT)
            entry[2] = answer[connection.send(answer):]
            if len(entry[2]) > 0:
                return
            # What it still says is heard before the end, or the answer would be lost with it.
            connection.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            return
        except OSError:
            pass
        self.drop(poll, place)

    def drop(self, poll, place):
        connection = self.open.pop(place)[0]
        poll.unregister(place)
        connection.close()

    def close(self):
        for connection, _, _ in self.open.values():
            connection.close()
        # Whoever still waits to be accepted is not heard by the next verifier's desk.
        try:
            while True:
                self.listener.accept()[0].close()
        except OSError:
            pass

class Orders:
    """Lines on file descriptor 3; its end means that whoever started us is gone."""
    def __init__(self, listener):
        self.listener, self.rest, self.lines = listener, b'', collections.deque()

    def hear(self):
        data = os.read(3, 1 << 20)
        if not data:
            raise EOFError
        *whole, self.rest = (self.rest + data).split(b'\n')
        self.lines.extend(json.loads(line) for line in whole)

    def next(self):
        while not self.lines:
            self.hear()
        return self.lines.popleft()

def end(pid):
    """Ends a verifier and everything that it started."""
    for victim in ([-1] if sandboxed else [pid, -pid]):
        try:
            os.kill(victim, signal.SIGKILL)
        except OSError:
            pass
    status = os.waitpid(pid, 0)[1]
    try:
        while not sandboxed:
            with open(f'/proc/self/task/{os.getpid()}/children') as found:
                left = found.read().split()
            for orphan in left:
                os.kill(int(orphan), signal.SIGKILL)
                os.waitpid(int(orphan), 0)
            if not left:
                break
    except OSError:
        pass
    return status

def how(status):
    if os.WIFSIGNALED(status):
        return 'signal ' + signal.Signals(os.WTERMSIG(status)).name
    return f'exit code {os.WEXITSTATUS(status)}'

def has_ended(pid):
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

def listen_to(pid, heard, orders, desk):
    """What the verifier says: a line, or what there is when it ends or is stopped; and whether it was stopped."""
    poll = select.poll()
    for place in (heard, desk.listener, *([] if orders is None else [3])):
        poll.register(place, select.POLLIN)
    said, until = b'', None
    while True:
        for place, _ in poll.poll(100):
            if place == heard:
                data = os.read(heard, 65536)
                said += data
                if until is None and (not data or b'\n' in said or len(said) > most_said):
                    return said, False
                if not data:
                    return said, True
            elif place == 3:
                orders.hear()
                if orders.lines and orders.lines[0].get('kind') == 'stop':
                    orders.lines.popleft()
                    until = time.monotonic() + 0.5
                    os.kill(pid, signal.SIGUSR1)
            elif place == desk.listener.fileno():
                desk.accept(poll)
            elif place in desk.open:
                desk.serve(poll, place)
        if until is not None and (time.monotonic() > until or len(said) > most_said):
            return said, True
        if until is None and has_ended(pid):
            # It ended, but something that it started may still hold the pipe.
            os.set_blocking(heard, False)
            try:
                said += os.read(heard, most_said)
            except OSError:
                pass
            return said, False

def read_answer(said, order):
    try:
        answer = json.loads(said)
        if said.count(b'\n') == 1 and said.endswith(b'\n') and answer.get('id') == order['id']:
            return answer
    except Exception:
        pass
    return {'kind': 'intruded', 'said': clip(said[:200].decode('utf-8', 'replace')), 'id': order['id']}

def warm_up(listener):
    """Asks once in this process: what a first request imports and makes, every verifier then has already."""
    pid = os.fork()
    if pid == 0:
        select.select([listener], [], [], 10)
        connection = listener.accept()[0]
        connection.recv(65536)
        connection.sendall(head('200 OK', 2) + b'{}')
        connection.close()
        os._exit(0)
    requests.get(f'http://127.0.0.1:{listener.getsockname()[1]}/api/state').json()
    os.waitpid(pid, 0)

def prepare(listener):
    """A process that is ready to be a verifier: it was made while nobody waited, and has run none."""
    told, tell = os.pipe()
    heard, said = os.pipe()
    pid = os.fork()
    if pid == 0:
        be_verifier(listener.getsockname()[1], told, said)
    os.close(told)
    os.close(said)
    desk = Desk(listener, '{"warm": [1, "two"]}')
    text, _ = listen_to(pid, heard, None, desk)
    desk.close()
    if text != b'\n':
        end(pid)
        sys.exit('no process can be made for a verifier')
    return pid, heard, tell

def send(place, order):
    rest = (json.dumps({name: order[name] for name in ('id', 'file', 'folder')}) + '\n').encode()
    try:
        while rest:
            rest = rest[os.write(place, rest):]
    except OSError:
        # It ended meanwhile, and that is what will be heard of it.
        pass

def judge(order, orders, spare):
    """Has a process judge; what it said, and what to do when that has been told."""
    pid, heard, tell = spare
    desk = Desk(orders.listener, order['state'])
    send(tell, order)
    os.close(tell)
    try:
        text, stopped = listen_to(pid, heard, orders, desk)
    except EOFError:
        end(pid)
        os._exit(0)
    def clear():
        status = end(pid)
        os.close(heard)
        desk.close()
        return status
    if stopped:
        clear()
        return {'kind': 'late', 'stack': clip(text.decode('utf-8', 'replace')), 'id': order['id']}, None
    if text == b'':
        return {'kind': 'ended', 'how': how(clear()), 'id': order['id']}, None
    answer = read_answer(text, order)
    if answer['kind'] == 'answer' and desk.wrote is not None:
        answer = {'kind': 'wrote', 'call': desk.wrote, 'id': order['id']}
    return answer, clear

def say(answer):
    rest = (json.dumps(answer) + '\n').encode()
    while rest:
        rest = rest[os.write(4, rest):]

def main():
    listener = socket.socket()
    listener.bind(('127.0.0.1', 0))
    listener.listen(16)
    listener.setblocking(False)
    orders = Orders(listener)
    warm_up(listener)
    gc.collect()
    gc.freeze()
    spare = prepare(listener)
    say({'kind': 'ready'})
    try:
        while True:
            order = orders.next()
            # A stop that came too late.
            if order.get('kind') == 'stop':
                continue
            # One that was ended from outside says nothing of the verifier that comes next.
            if has_ended(spare[0]):
                end(spare[0])
                spare = prepare(listener)
            answer, clear = judge(order, orders, spare)
            say(answer)
            if clear is not None:
                clear()
            spare = prepare(listener)
    except EOFError:
        os.kill(spare[0], signal.SIGKILL)
        os._exit(0)

main()
`;
