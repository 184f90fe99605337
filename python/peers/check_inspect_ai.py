"""An Inspect evaluation with its own mock model: one sample solved by tool calls, one finished at once."""

from __future__ import annotations

import tempfile

from inspect_ai import eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from espalier.adapters.inspect_ai import espalier_task

from .served import URL, report, teacher_plan

TASK = "star-message"


def call(name: str, arguments: dict[str, object]) -> ModelOutput:
    return ModelOutput.for_tool_call("mockllm/model", name, arguments)


def run(outputs: list[ModelOutput], seed: int, folder: str) -> EvalLog:
    for output in outputs:
        # Without this the mock model counts tokens with a vocabulary from the internet.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    task = espalier_task(URL, "mail", tasks=[(TASK, seed)])
    (log,) = eval(task, model=model, log_dir=folder, display="none")
    assert log.status == "success", log.error and log.error.message
    return read_eval_log(log.location)


def only_score(log: EvalLog) -> float:
    (sample,) = log.samples or []
    assert sample.scores is not None
    return sample.scores["verifier"].as_float()


def main() -> None:
    done = ModelOutput.from_content("mockllm/model", "Done.")
    solving = []
    for action in teacher_plan(TASK, 3):
        kind = str(action["kind"])
        name = str(action["tool"]) if kind == "call" else kind
        arguments = action["input"] if kind == "call" else {key: action[key] for key in action if key != "kind"}
        solving.append(call(name, arguments))
    with tempfile.TemporaryDirectory() as folder:
        solved = run([*solving, call("finish", {}), done], 3, folder)
        assert only_score(solved) == 1, solved
        refused = run([call("click", {"ref": "e99999"}), call("finish", {}), done], 4, folder)
        assert only_score(refused) == 0
        (sample,) = refused.samples or []
        assert any(message.role == "tool" and message.error is not None for message in sample.messages)
        late = run([call("finish", {}), call("click", {"ref": "e1"}), done], 4, folder)
        (sample,) = late.samples or []
        assert "has ended" in str([message.error for message in sample.messages if message.role == "tool"][-1])
        assert only_score(late) == 0
        unfinished = run([done], 5, folder)
        assert only_score(unfinished) == 0
    report("inspect-ai", "four evaluations, scores 1, 0, 0 and 0, one call after the end, read back from their .eval logs")


if __name__ == "__main__":
    main()
