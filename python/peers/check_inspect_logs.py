"""Reads exported .eval logs with Inspect: samples, scores, messages, typed events, branches and the timeline."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from inspect_ai.analysis import messages_df
from inspect_ai.event import BranchEvent, ModelEvent, ScoreEvent, ToolEvent, timeline_build
from inspect_ai.log import (
    EvalLog,
    EvalSample,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
    recompute_metrics,
)
from inspect_ai.model import ChatMessage, ChatMessageAssistant

from .exported import BRANCHING, EPISODES, TOKENS
from .served import report


def read(folder: Path) -> EvalLog:
    (info,) = list_eval_logs(str(folder / "inspect"))
    log = read_eval_log(info)
    summaries = read_eval_log_sample_summaries(info)
    assert log.status == "success" and log.samples is not None
    assert {summary.id for summary in summaries} == {sample.id for sample in log.samples}
    return log


def check_requests(sample: EvalSample) -> None:
    """Every request goes on from its branch point, and the last one is the chat of the sample."""
    models = [event for event in sample.events if isinstance(event, ModelEvent)]
    assert all(event.input and event.output.choices for event in models)
    main = [event for event in models if event.span_id == "agent"]
    chat = [*main[-1].input, main[-1].output.message]
    assert [message.text for message in sample.messages] == [message.text for message in chat]
    called = [call.id for event in main for call in event.output.message.tool_calls or []]
    done = [event.id for event in sample.events if isinstance(event, ToolEvent) and event.span_id == "agent"]
    assert called == done


def check_branches(sample: EvalSample) -> int:
    branches = [event for event in sample.events if isinstance(event, BranchEvent)]
    spans = timeline_build(sample.events).root.branches
    assert [span.branched_from for span in spans] == [event.from_anchor for event in branches]
    assert sample.timelines is not None and len(sample.timelines[0].root.branches) == len(branches)
    verified = [event for event in sample.events if isinstance(event, ScoreEvent) and event.intermediate]
    assert len(verified) <= len(branches)
    return len(branches)


def check_messages(samples: list[EvalSample]) -> int:
    """The table of messages has each message once; ids that repeat across samples would leave those of one sample.

    Inspect leaves an answer out if the message before it, of a sibling branch, calls the same tool.
    """
    due = [message for sample in samples for message in messages_of(sample)]
    assert len(due) == len({message.id for message in due})
    kept = set(messages_df(str(BRANCHING / "inspect"))["message_id"])
    assert kept <= {message.id for message in due}
    for before, message in pairwise(due):
        if message.id not in kept:
            assert message.role == before.role == "assistant", message
            assert tools_in(message) == tools_in(before), message
    return len(kept)


def messages_of(sample: EvalSample) -> list[ChatMessage]:
    """The messages of all requests and answers, each once, in the order of the events."""
    models = [event for event in sample.events if isinstance(event, ModelEvent)]
    return list({message.id: message for event in models for message in [*event.input, event.output.message]}.values())


def tools_in(message: ChatMessage) -> list[str]:
    return [call.function for call in message.tool_calls or []] if isinstance(message, ChatMessageAssistant) else []


def main() -> None:
    log = read(BRANCHING)
    samples = log.samples or []
    assert len(samples) == EPISODES and log.results is not None
    assert log.results.scores[0].metrics["accuracy"].value == 1
    for sample in samples:
        assert sample.scores is not None and sample.scores["verifier"].as_float() == 1
        check_requests(sample)
    kept = check_messages(samples)
    recompute_metrics(log)
    assert log.results.scores[0].metrics["accuracy"].value == 1, log.results
    branches = sum(check_branches(sample) for sample in samples if sample.timelines)
    assert branches > 0
    (sampled,) = read(TOKENS).samples or []
    ids = [
        (event.output.metadata or {}).get("completion_token_ids")
        for event in sampled.events
        if isinstance(event, ModelEvent)
    ]
    assert sorted(ids) == [[3, 4], [6], [7, 8]], ids
    report("inspect-ai", f"read {len(samples)} exported samples with {kept} messages and {branches} branches, and token ids")


if __name__ == "__main__":
    main()
