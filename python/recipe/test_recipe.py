"""A toy configuration on a CPU, from episodes to answers: python -m unittest test_recipe"""

import json
import lzma
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from importlib.util import find_spec
from pathlib import Path

from tokenizers import Tokenizer

from compared import Study, pack
from correction import cut
from data import read_episodes
from fit import fitted
from matches import Matcher
from steps import read_answer, write_answer
from variants import varied

HERE = Path(__file__).resolve().parent
PROMPT = """<task> How many open claims does "Ada Olsen" have?
<done> click link "Claims"
<screen>
page "Claims"
 alert "Ada Olsen is saved."
 combobox "State": (any) {(any) | Open | Closed} <e1>
 textbox "Find": (empty) <e2>
 button "Withdraw" <e3>
 3 claims of Ada Olsen
<act>"""


def episode(app: int, name: str) -> dict:
    actions = [
        {"kind": "select", "ref": "e1", "option": "Open"},
        {"kind": "fill", "ref": "e2", "text": name},
        {"kind": "finish", "answer": "3"},
    ]
    prompt = PROMPT.replace("Ada Olsen", name)
    steps = [{"prompt": prompt, "action": action, "advantage": float("nan")} for action in actions]
    return {"env": f"synth-{app}", "template": "count", "task": f"synth-{app}/count/1", "steps": steps}


class StepsTest(unittest.TestCase):
    def test_answers_read_back(self) -> None:
        for step in episode(1, "Ada < Olsen")["steps"]:
            self.assertEqual(read_answer(write_answer(step["action"])), step["action"])


class FitTest(unittest.TestCase):
    def test_a_long_prompt_loses_the_lines_that_the_product_leaves_out(self) -> None:
        """The example of src/agents/small/prompt-tokens.test.ts."""
        tokenizer = Tokenizer.from_file(str(HERE.parent.parent / "test/fixtures/small/tokenizer.json"))
        idle = "".join(f"\n {at} {at} {at}" for at in range(150))
        prompt = f'<task> What does Ada owe?\n<screen>\npage "Claims"\n button "Save" <e1>{idle}\n Ada Olsen: 7\n<act>'
        (cut,) = fitted([prompt], tokenizer, Matcher(tokenizer), 512)
        self.assertLessEqual(len(tokenizer.encode(cut, add_special_tokens=False).ids), 512)
        self.assertIn('\n button "Save" <e1>\n 0 0 0\n', cut)
        self.assertTrue(cut.endswith("\n Ada Olsen: 7\n<act>"))
        self.assertEqual(fitted([PROMPT], tokenizer, Matcher(tokenizer), 512), [PROMPT])


class VariantsTest(unittest.TestCase):
    def variants(self, task: str, action: dict, words: list[str]) -> list[tuple[str, dict]]:
        prompt = PROMPT.replace('How many open claims does "Ada Olsen" have?', task)
        return [varied([(prompt, action)], str(seed), words)[0] for seed in range(200)]

    def test_quotes_come_off_short_names_only(self) -> None:
        task = 'Put "Ada Olsen" down, with the note "It rains. Come in." and "4.5".'
        tasks = {prompt.split("\n")[0] for prompt, _ in self.variants(task, {"kind": "finish"}, [])}
        self.assertIn('<task> Put Ada Olsen down, with the note "It rains. Come in." and 4.5.', tasks)
        self.assertTrue(all('"It rains. Come in."' in task for task in tasks))

    def test_messages_are_left_out_of_half_but_where_a_task_cannot_be_done(self) -> None:
        shown = sum("alert" in prompt for prompt, _ in self.variants("Save it", {"kind": "finish"}, []))
        self.assertTrue(60 < shown < 140)
        refused = self.variants("Save it", {"kind": "finish", "infeasible": True}, [])
        self.assertTrue(all("alert" in prompt for prompt, _ in refused))

    def test_other_words_are_the_same_in_task_screen_and_step(self) -> None:
        words = [f"nonce{letter}{other}" for letter in "abcdef" for other in "abcdef"]
        for prompt, action in self.variants("Find Olsen", {"kind": "fill", "ref": "e2", "text": "Olsen"}, words):
            self.assertIn(f"Find {action['text']}\n", prompt)
            self.assertIn(f" {action['text']}\n<act>", prompt)
            for kept in ('textbox "Find": (empty) <e2>', 'page "', "combobox"):
                self.assertIn(kept, prompt)

    def test_what_is_meant_and_not_named_keeps_its_word(self) -> None:
        words = [f"nonce{letter}{other}" for letter in "abcdef" for other in "abcdef"]
        variants = self.variants("Take Olsen back", {"kind": "click", "ref": "e3"}, words)
        self.assertTrue(all('button "Withdraw" <e3>' in prompt for prompt, _ in variants))
        self.assertTrue(any("Olsen" not in prompt for prompt, _ in variants))


class ToyTest(unittest.TestCase):
    def test_two_steps_and_an_answer(self) -> None:
        for answers in ("pointer", "causal"):
            with self.subTest(answers), tempfile.TemporaryDirectory() as folder:
                self.train_and_ask(Path(folder), answers)

    def train_and_ask(self, folder: Path, answers: str) -> None:
        write_rows(folder)
        self.assertEqual(json.loads((folder / "rows" / "rows.json").read_text())["rows"], 24)
        options = (
            "--rows",
            folder / "rows",
            "--size",
            "toy",
            "--answers",
            answers,
            "--batch",
            "512",
            "--tokens",
            "0.0011",
        )
        run("train.py", "--out", folder / "whole", *options)
        run("train.py", "--out", folder / "halves", *options, "--steps", "1")
        run("train.py", "--out", folder / "halves", *options)
        whole, halves = (json.loads((folder / name / "train.json").read_text()) for name in ("whole", "halves"))
        self.assertEqual(whole["steps"], 2)
        self.assertEqual(whole["losses"], halves["losses"])

        from serve import Server

        server = Server(folder / "whole")
        answer = server.steps([PROMPT])[0]
        self.assertLessEqual(answer["logprob"], 0)
        if answers == "pointer" and find_spec("onnxruntime"):
            run("export.py", folder / "whole", "--out", folder / "small")
            self.assert_same_scores(server, folder / "small", PROMPT)

    def assert_same_scores(self, server, exported: Path, prompt: str) -> None:
        import numpy as np
        import onnxruntime
        import torch

        ids = np.array(server.tokenizer.encode(prompt, add_special_tokens=False).ids)
        first = json.loads((exported / "model.json").read_text())["references"]["first"]
        inputs = {
            "ids": np.where(ids >= first, first, ids),
            "marks": server.matcher.marks(ids).astype(np.int64),
            "references": np.flatnonzero(ids >= first),
        }
        session = onnxruntime.InferenceSession(str(exported / "model.onnx"))
        outputs = dict(zip([output.name for output in session.get_outputs()], session.run(None, inputs), strict=True))
        with torch.inference_mode():
            model, hidden = server.model, server.model.hidden(server.pack([ids.tolist()]))
            chosen = (hidden[-1:], model.kind_embed.weight[:1], hidden[inputs["references"][:1]], hidden[5:6])
            scores = {
                "kind": model.kind(hidden[-1]),
                "element": model.element(hidden, *chosen[:2])[0],
                "first": model.first(hidden, *chosen[:3])[0],
                "last": model.last(hidden, *chosen)[0],
            }
        sums = {
            "kind": outputs["kind"],
            "element": outputs["element"][0],
            "first": outputs["first"][0] + outputs["first_by_element"][0],
            "last": outputs["last"][0] + outputs["last_by_element"][0] + outputs["last_by_first"][5],
        }
        for name, expected in scores.items():
            np.testing.assert_allclose(sums[name], expected.numpy(), atol=0.02)


class TeachTest(unittest.TestCase):
    def test_teaches_serves_and_answers_at_once_the_next_time(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_rows(folder)
            options = ("--size", "toy", "--batch", "512", "--tokens", "0.0006")
            run("train.py", "--rows", folder / "rows", "--out", folder / "base", *options)
            rows = [
                {
                    "episode": str(at),
                    "environment": "desk",
                    "template": "t",
                    "task": f"desk/t/{at}",
                    "messages": [{}, {"content": step["prompt"]}],
                    "action": step["action"],
                }
                for at, own in enumerate((episode(1, "Ada Olsen"), episode(1, "Bo Li")))
                for step in own["steps"]
            ]
            (folder / "next-actions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
            servers = set()
            try:
                base, pid = self.ask(folder, "base-served")
                servers.add(pid)
                first, pid = self.ask(folder, "taught", folder / "next-actions.jsonl")
                servers.add(pid)
                self.assertEqual(json.loads((folder / "taught" / "train.json").read_text())["steps"], 2)
                self.assertNotEqual(self.weights(base), self.weights(first))
                before = (folder / "taught" / "model.pt").stat().st_mtime_ns
                self.assertEqual(self.ask(folder, "taught", folder), (first, pid))
                self.assertEqual((folder / "taught" / "model.pt").stat().st_mtime_ns, before)
            finally:
                for pid in servers:
                    os.kill(pid, signal.SIGTERM)

    def ask(self, folder: Path, out: str, *rows: Path) -> tuple[str, int]:
        options = ("--base", folder / "base", "--out", folder / out, "--seed", "2", "--steps", "2", "--copies", "1", "--device", "cpu")
        said = run("teach.py", *options, *rows).stdout.decode().strip().split("\n")[-1]
        self.assertRegex(said, r"^small:http://127\.0\.0\.1:\d+$")
        return said.removeprefix("small:"), json.loads((folder / out / "serve.json").read_text())["pid"]

    def weights(self, address: str) -> str:
        with urllib.request.urlopen(f"{address}/model") as answer:
            return json.load(answer)["facts"]["sha256"]["model.onnx"]


@unittest.skipUnless(find_spec("onnx") and find_spec("onnxruntime"), "needs onnx and onnxruntime")
class ImportTest(unittest.TestCase):
    def test_an_exported_model_is_trained_further(self) -> None:
        for reads in ("forward", "both"):
            with self.subTest(reads), tempfile.TemporaryDirectory() as folder:
                self.export_and_import(Path(folder), reads)

    def export_and_import(self, folder: Path, reads: str) -> None:
        import numpy as np
        import torch

        from model import Config, Model

        write_rows(folder)
        tokenizer = (folder / "rows" / "tokenizer.json").read_text()
        words = Tokenizer.from_str(tokenizer)
        references = [words.token_to_id("<e1>"), words.get_vocab_size()]
        config = Config(references[1] + 3, 64, 3, 4, 2, 96, 100_000.0, "pointer", reads, 32)
        weights = {name: torch.randn_like(value) / 8 for name, value in Model(config).state_dict().items()}
        (folder / "whole").mkdir()
        saved = {"config": config.to_dict(), "weights": weights, "references": references}
        torch.save(saved, folder / "whole" / "model.pt")
        (folder / "whole" / "tokenizer.json").write_text(tokenizer)
        run("export.py", folder / "whole", "--out", folder / "small")
        run("imported.py", folder / "small", "--out", folder / "again")
        again = torch.load(folder / "again" / "model.pt", weights_only=True)
        self.assertEqual((again["config"], list(again["references"])), (saved["config"], references))
        for name, value in weights.items():
            np.testing.assert_allclose(again["weights"][name].float(), value, atol=0.005, err_msg=name)
        run("train.py", "--rows", folder / "rows", "--start", folder / "again", "--out", folder / "further", "--batch", "512", "--tokens", "0.0006")
        self.assertEqual(json.loads((folder / "further" / "train.json").read_text())["steps"], 1)

        (folder / "small" / "tokenizer.json").write_text("{}")
        with self.assertRaisesRegex(ValueError, "take all from one export"):
            from imported import load

            load(folder / "small")


@unittest.skipUnless(find_spec("trl") and find_spec("peft"), "needs trl and peft")
class LoraTest(unittest.TestCase):
    def test_two_steps_give_a_model_that_can_be_served(self) -> None:
        from tokenizers import Tokenizer, models, pre_tokenizers
        from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

        words = ["<pad>", "<end>", "user", "assistant", "Tick", "Rent", "click", "e5"]
        plain = Tokenizer(models.WordLevel({word: index for index, word in enumerate(words)}, unk_token="<pad>"))
        plain.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        template = "{% for m in messages %}{{ m.role + ' ' + m.content + ' <end> ' }}{% endfor %}"
        template += "{% if add_generation_prompt %}{{ 'assistant ' }}{% endif %}"
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_object=plain, pad_token="<pad>", eos_token="<end>", chat_template=template
        )
        config = LlamaConfig(
            vocab_size=len(words), hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2
        )
        row = {
            "prompt": [{"role": "user", "content": "Tick Rent"}],
            "completion": [{"role": "assistant", "content": "click e5"}],
            "tools": "[]",
        }
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            LlamaForCausalLM(config).save_pretrained(folder / "base")
            tokenizer.save_pretrained(folder / "base")
            (folder / "prompt-completion.jsonl").write_text((json.dumps(row) + "\n") * 4)
            options = ("--out", folder / "tuned", "--steps", "2", "--batch", "2", "--rate", "0.01", "--cpu")
            run("lora.py", folder / "base", folder, *options)
            before, after = (
                AutoModelForCausalLM.from_pretrained(folder / name).state_dict() for name in ("base", "tuned")
            )
            self.assertEqual(before.keys(), after.keys())
            self.assertTrue(any((before[name] != after[name]).any() for name in before))
            self.assertTrue((folder / "tuned" / "tokenizer.json").exists())


class PriceTest(unittest.TestCase):
    def test_an_arm_is_cut_after_the_episode_that_reaches_the_price(self) -> None:
        def end(name: str, **counts: object) -> dict:
            usual = {"steps": 4, "reviews": 2, "corrections": 1, "shown": 6, "outcome": "passed", "demonstrated": False}
            return {"episode": name, **usual, **counts}

        kept, paid = cut([end("a"), end("b"), end("c")], lambda own: own.queries >= 5)
        self.assertEqual((kept, vars(paid)), (["a", "b"], {"episodes": 2, "queries": 6, "steps": 14, "passed": 2}))
        kept, paid = cut([end("a", demonstrated=True), end("b", demonstrated=True)], lambda own: own.queries >= 4)
        self.assertEqual((kept, paid.queries, paid.steps), (["a"], 4, 4))

    def test_differences_are_over_the_same_tasks(self) -> None:
        def result(arm: str, seed: int, passes: list[int]) -> dict:
            tasks = [[f"app-{at}", f"app-{at}/do/1", passed] for at, passed in enumerate(passes)]
            return {"arm": arm, "seed": seed, "errors": 0.0, "budget": 9, "passes": {"unseen-apps": tasks}}

        arms = {"src-adaptive": [1, 1, 1, 0], "src-3": [1, 1, 1, 0], "imitation-queries": [0, 0, 1, 0]}
        study = Study(pack([result(arm, seed, passes) for arm, passes in arms.items() for seed in (1, 2)]))
        first = ("src-adaptive", 0.0, 9)
        gains = {key[0]: study.gain(first, key, "unseen-apps") for key in study.others(0.0, 9)}
        self.assertEqual(gains["src-3"] | {"seeds": []}, {"mean": 0, "low": 0, "high": 0, "seeds": []})
        self.assertEqual([gains["imitation-queries"][name] for name in ("mean", "low", "high")], [0.5, 0.0, 1.0])

    def test_a_step_that_attempts_share_counts_once_with_its_mean_worth(self) -> None:
        facts = {"episode": "a", "environment": "synth-1", "template": "t", "task": "synth-1/t/1", "loss_mask": 1}
        step = {"messages": [{}, {"content": "<task> Go\n<screen>\n<act>"}], "action": {"kind": "finish"}}
        rows = [facts | step | {"node": node, "advantage": worth} for node, worth in ((1, 1.0), (1, -0.5), (2, -1.0))]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "advantages.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, rows[0] | {"node": 3, "loss_mask": 0}]))
            steps = read_episodes(path)[0]["steps"]
        self.assertEqual([step["advantage"] for step in steps], [0.25, -1.0])

    def test_steps_with_an_advantage_are_learned_by_clipped_ratios(self) -> None:
        import torch

        from losses import credited

        losses = torch.tensor([2.0, 2.0, 1.0, 3.0], requires_grad=True)
        batch = {"advantages": torch.tensor([float("nan"), 1.0, 1.0, -1.0]), "before": torch.full((4,), 2.0)}
        credited(losses, batch).backward()
        # A demonstration, a step as likely as before, and two that went far enough already.
        self.assertEqual([round(own, 4) for own in (losses.grad * 4).tolist()], [1.0, 1.0, 0.0, 0.0])

    def test_recorded_figures_have_intervals_a_command_and_a_hash(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            study, out = Path(name), Path(name) / "recorded" / "correction.json"
            for arm, passed in (("src-adaptive", 1), ("imitation-queries", 0)):
                passes = {"unseen-apps": [[f"app-{at}", f"app-{at}/do/1", passed] for at in range(4)]}
                result = {"arm": arm, "seed": 1, "errors": 0.0, "budget": 1500, "passes": passes}
                (study / f"{arm}.seed-1.json").write_text(json.dumps(result))
            run("recorded.py", "correction", "--study", study, "--command", "python correction.py", "--out", out)
            found = json.loads(out.read_text())
        self.assertEqual([row["label"] for row in found["rows"]], ["SRC, adaptive", "imitation, as many queries"])
        self.assertEqual(found["rows"][0]["rates"], [{"rate": 1.0, "low": 1.0, "high": 1.0, "n": 4}])
        self.assertEqual(found["differences"][0]["mean"], 1.0)
        self.assertEqual((len(found["sha256"]), found["command"]), (64, "python correction.py"))


def write_rows(folder: Path) -> None:
    (folder / "episodes").mkdir()
    with lzma.open(folder / "episodes" / "one.jsonl.xz", "wt") as file:
        file.writelines(json.dumps(episode(app, name)) + "\n" for app in (1, 2) for name in ("Ada Olsen", "Bo Li"))
    run("rows.py", "--episodes", folder / "episodes", "--out", folder / "rows", "--vocab", "700", "--copies", "2")


def run(script: str, *arguments: object) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, str(HERE / script), *map(str, arguments)], check=True, capture_output=True, cwd=HERE
    )


if __name__ == "__main__":
    unittest.main()
