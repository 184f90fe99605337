"""Serves a model to policy.ts and to `espalier --student small:http://127.0.0.1:8011`: requests that wait are one batch.

python serve.py models/small --port 8011
"""

import argparse
import json
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional as F

from export import OnePass, facts_of, hashed
from matches import Matcher
from model import KINDS, Config, Model, Packed, attend
from rows import LONGEST, LONGEST_ANSWER
from steps import action_of, read_answer, unsafe

LONGEST_TEXT = 64
# Of the last token by the first one, scores are sent for so many tokens.
REACH = 128
POINTING = KINDS[:3]
FILLED = {"textbox", "searchbox", "spinbutton", "combobox", "textarea"}


def line_end(prompt: str, encoding, first: int) -> int:
    """The token behind the line: a text never goes over it."""
    at = prompt.find("\n", encoding.offsets[first][1])
    return len(encoding.ids) if at < 0 else encoding.char_to_token(at)


class Server:
    def __init__(self, folder: Path):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        saved = torch.load(folder / "model.pt", map_location=self.device, weights_only=True)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.references, config = saved["references"], Config(**saved["config"])
        dtype = torch.bfloat16 if self.device == "cuda" else torch.float32
        self.model = Model(config).to(self.device, dtype).eval()
        self.model.load_state_dict(saved["weights"])
        self.matcher, self.is_pointer = Matcher(self.tokenizer), config.answers == "pointer"
        self.about = None
        if self.is_pointer:
            self.one_pass = OnePass(self.model).to(self.device, dtype).eval()
            sha256 = {"model.onnx": hashed(folder / "model.pt"), "tokenizer.json": hashed(folder / "tokenizer.json")}
            facts = facts_of(config, self.tokenizer, tuple(self.references), sha256)
            tokenizer = json.loads((folder / "tokenizer.json").read_text())
            self.about = {"facts": facts, "tokenizer": tokenizer, "reach": REACH}
        self.end = self.tokenizer.token_to_id("<end>")
        self.answer = self.point if config.answers == "pointer" else self.write

    @torch.inference_mode()
    def steps(
        self, prompts: list[str], temperatures: list[float] | None = None, taken: list[list[str]] | None = None
    ) -> list[dict]:
        """The likeliest steps; with temperatures above 0, drawn ones. Elements of `taken` are not clicked."""
        heat, clicked = temperatures or [0.0] * len(prompts), taken or [[]] * len(prompts)
        encodings = self.tokenizer.encode_batch(prompts, add_special_tokens=False)
        # A prompt that is too long gets no action: the episode records it as unusable.
        good = [at for at, encoding in enumerate(encodings) if len(encoding.ids) <= LONGEST - LONGEST_ANSWER]
        answers: list[dict] = [{"action": None, "logprob": 0.0}] * len(prompts)
        if good:
            given = (prompts, encodings, heat, clicked)
            found = self.answer(*([values[at] for at in good] for values in given))
            for at, answer in zip(good, found, strict=False):
                answers[at] = answer
        return answers

    @torch.inference_mode()
    def scores(self, inputs: list[np.ndarray]) -> list[bytes]:
        """All scores of each prompt, as a runtime has them of the exported file, in bfloat16. An input: two counts, ids,
        marks, and the places of references."""
        parts = [np.split(given[2:], [given[0], 2 * given[0]]) for given in inputs]
        packed = self.pack_marked([(ids, marks) for ids, marks, _ in parts])
        hidden, starts = self.model.hidden(packed), packed.starts.tolist()
        answers = []
        for (ids, _, references), begin in zip(parts, starts[:-1], strict=True):
            own = hidden[begin : begin + len(ids)]
            *scores, by_first = self.one_pass.scores(own, self.tensor(references.tolist()))
            ends = torch.arange(len(ids), device=self.device)[:, None] + torch.arange(REACH, device=self.device)
            scores.append(by_first.gather(1, ends.clamp(max=len(ids) - 1)))
            flat = torch.cat([part.flatten() for part in scores]).bfloat16()
            answers.append(flat.view(torch.int16).cpu().numpy().tobytes())
        return answers

    def pack_marked(self, sequences: list[tuple[np.ndarray, np.ndarray]]) -> Packed:
        lengths = [len(ids) for ids, _ in sequences]
        joined = lambda at: torch.from_numpy(np.concatenate([one[at] for one in sequences])).long().to(self.device)
        positions = torch.cat([torch.arange(length, device=self.device) for length in lengths])
        starts = torch.tensor([0, *np.cumsum(lengths).tolist()], dtype=torch.int32, device=self.device)
        return Packed(joined(0), positions, starts, max(lengths), joined(1))

    def pack(self, sequences: list[list[int]]) -> Packed:
        arrays = [np.array(sequence) for sequence in sequences]
        same = lambda ids: np.minimum(ids, self.references[0]) if self.is_pointer else ids
        return self.pack_marked([(same(ids), self.matcher.marks(ids)) for ids in arrays])

    def point(
        self, prompts: list[str], encodings: list, temperatures: list[float], taken: list[list[str]]
    ) -> list[dict]:
        """All prompts at once; each choice is made on the one before it."""
        model, packed = self.model, self.pack([encoding.ids for encoding in encodings])
        hidden, begins = model.hidden(packed), packed.starts[:-1].tolist()
        act, rows = hidden[packed.starts[1:].long() - 1], len(prompts)
        place = torch.arange(len(hidden), device=self.device)[None]
        within = lambda low, high: (place >= self.tensor(low)[:, None]) & (place < self.tensor(high)[:, None])
        ends = packed.starts[1:].tolist()
        own = within(begins, ends)
        heat = torch.tensor(temperatures, device=self.device)[:, None]

        def best(scores: torch.Tensor, allowed: torch.Tensor) -> tuple[list[int], torch.Tensor]:
            scores = scores.masked_fill(~allowed, -1e9).log_softmax(1)
            at = (scores + heat * -torch.empty_like(scores).exponential_().log()).argmax(1)
            return at.tolist(), scores.gather(1, at[:, None])[:, 0]

        gestures = [self.gestures(*row) for row in zip(prompts, encodings, taken, strict=True)]
        takes = torch.full((len(hidden),), -1, device=self.device)
        takes[self.tensor([begin + at for begin, found in zip(begins, gestures, strict=False) for at in found])] = (
            self.tensor([KINDS.index(gesture) for found in gestures for gesture, _ in found.values()])
        )
        usable = torch.ones(rows, len(KINDS), dtype=torch.bool, device=self.device)
        for kind in range(len(POINTING)):
            usable[:, kind] = (own & (takes == kind)).any(1)
        kinds, logprobs = best(model.kind(act).float(), usable)
        names, embed = [KINDS[kind] for kind in kinds], model.kind_embed(self.tensor(kinds))

        pointing = torch.tensor([name in POINTING for name in names], device=self.device)
        allowed = own & (takes[None] == self.tensor(kinds)[:, None])
        elements, value = best(model.element(hidden, act, embed), allowed | ~pointing[:, None])
        logprobs = logprobs + value * pointing
        element = hidden[elements] * pointing[:, None]

        spans = [
            found[at - begin][1] if name == "select" else (0, end - begin - 1)
            for name, found, at, begin, end in zip(names, gestures, elements, begins, ends, strict=False)
        ]
        low, high = (
            [begin + span[0] for begin, span in zip(begins, spans, strict=False)],
            [begin + span[1] for begin, span in zip(begins, spans, strict=False)],
        )
        telling = torch.tensor([name in ("fill", "select", "answer") for name in names], device=self.device)
        firsts, value = best(model.first(hidden, act, embed, element), within(low, high))
        logprobs = logprobs + value * telling
        until = [
            min(end, first + LONGEST_TEXT, begin + line_end(prompt, encoding, first - begin))
            for prompt, encoding, begin, end, first in zip(prompts, encodings, begins, high, firsts, strict=False)
        ]
        lasts, value = best(model.last(hidden, act, embed, element, hidden[firsts]), within(firsts, until))
        logprobs = (logprobs + value * telling).tolist()

        answers = []
        for row in range(rows):
            encoding, begin, name = encodings[row], begins[row], names[row]
            reference = (
                self.tokenizer.id_to_token(encoding.ids[elements[row] - begin]).strip("<>") if pointing[row] else None
            )
            text = prompts[row][encoding.offsets[firsts[row] - begin][0] : encoding.offsets[lasts[row] - begin][1]]
            answers.append({"action": action_of(name, reference, unsafe(text.strip())), "logprob": logprobs[row]})
        return answers

    def tensor(self, values: list[int]) -> torch.Tensor:
        return torch.tensor(values, dtype=torch.long, device=self.device)

    def gestures(self, prompt: str, encoding, taken: list[str]) -> dict[int, tuple[str, tuple[int, int] | None]]:
        """What each element takes, by the place of its reference; with the tokens between the braces of its options."""
        found, clicked = {}, {self.tokenizer.token_to_id(f"<{reference}>") for reference in taken}
        for at, token in enumerate(encoding.ids):
            if self.references[0] <= token < self.references[1]:
                mark = encoding.offsets[at][0]
                line = prompt.rfind("\n", 0, mark)
                begin, end = prompt.find("{", line, mark), prompt.rfind("}", line, mark)
                role = prompt[line:mark].strip().partition(" ")[0]
                if 0 <= begin < end:
                    found[at] = ("select", (encoding.char_to_token(begin) + 1, encoding.char_to_token(end)))
                elif role in FILLED:
                    found[at] = ("fill", None)
                elif token not in clicked:
                    found[at] = ("click", None)
        return found

    def write(self, prompts: list[str], encodings: list, temperatures: list[float], _: list[list[str]]) -> list[dict]:
        if any(temperatures):
            raise ValueError("Only pointing models draw their steps: leave RECIPE_TEMPERATURE out.")
        ids, logprobs = self.generate([encoding.ids for encoding in encodings])
        texts = [self.tokenizer.decode(part, skip_special_tokens=False) for part in ids]
        return [
            {"action": read_answer(text), "logprob": logprob} for text, logprob in zip(texts, logprobs, strict=False)
        ]

    def generate(self, prompts: list[list[int]]) -> tuple[list[list[int]], list[float]]:
        """Greedy, with a cache: the prompts packed, then one token of every answer at a time."""
        model, packed, lengths = (
            self.model,
            self.pack(prompts),
            torch.tensor([len(p) for p in prompts], device=self.device),
        )
        longest, rows = int(lengths.max()) + LONGEST_ANSWER, len(prompts)
        owner = torch.repeat_interleave(torch.arange(rows, device=self.device), lengths)
        cos, sin = model.angles(packed.positions)
        x, caches = model.embed_in(packed.ids, packed.matches), []
        for block in model.blocks:
            q, k, v = block.qkv(x, cos, sin)
            cache = torch.zeros(2, rows, longest, *k.shape[1:], dtype=k.dtype, device=self.device)
            cache[0, owner, packed.positions], cache[1, owner, packed.positions] = k, v
            caches.append(cache)
            x = block.finish(x, attend(q, k, v, packed, True))
        x = x[packed.starts[1:].long() - 1]
        every, steps, total = torch.arange(rows, device=self.device), [], torch.zeros(rows, device=self.device)
        ended = torch.zeros(rows, dtype=torch.bool, device=self.device)
        for at in range(LONGEST_ANSWER):
            scores = model.logits(model.norm(x)).log_softmax(-1)
            value, token = scores.max(-1)
            token = token.masked_fill(ended, self.end)
            total += value.masked_fill(ended, 0.0)
            steps.append(token)
            ended |= token == self.end
            if at % 4 == 3 and bool(ended.all()):
                break
            position = lengths + at
            cos, sin = model.angles(position)
            mask = (torch.arange(longest, device=self.device)[None] <= position[:, None])[:, None, None]
            x = model.embed_in(token, torch.zeros_like(token))
            for block, cache in zip(model.blocks, caches, strict=False):
                q, k, v = block.qkv(x, cos, sin)
                cache[0, every, position], cache[1, every, position] = k, v
                keys, values = cache.transpose(2, 3)
                x = block.finish(x, F.scaled_dot_product_attention(q[:, :, None], keys, values, mask, enable_gqa=True))
        answers = torch.stack(steps, 1).tolist()
        return [
            answer[: answer.index(self.end)] if self.end in answer else answer for answer in answers
        ], total.tolist()


class Batches:
    """Answers requests that wait together."""

    def __init__(self, answer, most: int):
        self.answer, self.most, self.waiting = answer, most, queue.Queue()
        self.stats = {"requests": 0, "batches": 0, "seconds": 0.0}
        threading.Thread(target=self.work, daemon=True).start()

    def ask(self, *given):
        reply: queue.Queue = queue.Queue()
        self.waiting.put((reply, given))
        answer = reply.get()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def work(self) -> None:
        while True:
            items = [self.waiting.get()]
            time.sleep(0.004)
            while len(items) < self.most and not self.waiting.empty():
                items.append(self.waiting.get())
            began = time.time()
            try:
                answers = self.answer(*([given[at] for _, given in items] for at in range(len(items[0][1]))))
            except Exception as error:  # One request that is off must not leave the others without an answer.
                answers = [error] * len(items)
            for (reply, _), answer in zip(items, answers, strict=True):
                reply.put(answer)
            self.stats["requests"] += len(items)
            self.stats["batches"] += 1
            self.stats["seconds"] += time.time() - began


def serve(server: Server, port: int, most: int, idle: float = 0) -> None:
    """Without an end; or until nothing was asked for so many minutes, where that is not 0."""
    steps, scores = Batches(server.steps, most), Batches(server.scores, most // 4)
    unusable, asked = 0, time.time()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_) -> None:
            pass

        def reply(self, body: bytes, kind: str = "application/json") -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            nonlocal asked
            asked = time.time()
            if self.path == "/model" and server.about:
                return self.reply(json.dumps(server.about).encode())
            told = {name: steps.stats[name] + scores.stats[name] for name in steps.stats}
            self.reply(json.dumps(told | {"unusable": unusable}).encode())

        def do_POST(self) -> None:
            nonlocal unusable, asked
            asked = time.time()
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.path == "/scores":
                return self.reply(scores.ask(np.frombuffer(body, np.int32)), "application/octet-stream")
            request = json.loads(body)
            answer = steps.ask(request["prompt"], request.get("temperature", 0.0), request.get("taken", []))
            unusable += answer["action"] is None
            self.reply(json.dumps(answer).encode())

    class Http(ThreadingHTTPServer):
        daemon_threads, request_queue_size = True, 1024

    http = Http(("127.0.0.1", port), Handler)
    print(f"ready at http://127.0.0.1:{http.server_port}", flush=True)
    if idle == 0:
        http.serve_forever()
    threading.Thread(target=http.serve_forever, daemon=True).start()
    while (left := asked + 60 * idle - time.time()) > 0:
        time.sleep(left)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--port", type=int, default=8011, help="0 for a free one")
    parser.add_argument("--most", type=int, default=192, help="requests in a batch")
    parser.add_argument("--idle", type=float, default=0, help="minutes without a question to end after; 0 for never")
    options = parser.parse_args()
    serve(Server(options.model), options.port, options.most, options.idle)


if __name__ == "__main__":
    main()
