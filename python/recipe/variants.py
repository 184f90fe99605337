"""Demonstrations as other apps would show them: names without quotes, no message after a change, other words.

A model that has seen made-up apps alone learns what they have in common: that names stand in quotes, that an app says
"… is saved" when a task is done, that a pharmacy has batches. Apps that people write do not.
"""

import random
import re

QUOTED = re.compile(r'"([^"]+)"')
MESSAGE = re.compile(r'\n *alert "[^\n]*(?=\n)| → (?:gone: )?alert "[^\n]*')
WORD = re.compile(r"[A-Za-z]{3,}")
# Roles, states, what steps are called, and words that every app uses in the same sense.
KEPT = set(
    """alert article banner button cell checkbox column columnheader combobox complementary contentinfo dialog empty form
    gridcell group heading image img link list listbox listitem main menu menubar menuitem navigation note option page
    paragraph progressbar radio radiogroup region row rowheader search searchbox separator slider spinbutton status switch
    tab table tablist tabpanel term text textbox timer toolbar tooltip tree treeitem
    checked collapsed current disabled expanded invalid pressed readonly required selected unchecked unread
    answer click fill finish infeasible select with
    the and for from into onto this that these those its his her their our your you they them who whom whose what which
    when where why how has have had was were are been being will would should could can may might must shall did does done
    not nor but yet only also too very just than then there here over under after before until since while during about
    above below between through across against without within upon per via out off all any each every both either neither
    none some many much more most few less least other another same such own one two three four five six seven eight nine
    ten first second third last next previous new newest old oldest latest earliest highest lowest high low cheapest
    largest smallest longest shortest biggest best worst today tomorrow yesterday now later already still again
    jan feb mar apr may jun jul aug sep oct nov dec january february march april june july august september october
    november december monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
    day days week weeks month months year years date time hour hours minute minutes
    add added back cancel change changed choose clear close closed confirm continue create created delete deleted details
    discard done edit enter filter find finish forward help home less look make menu mark more move name number okay open
    opened options page pages pick please put remove removed reset results rename save saved search see send set settings
    show sort start step submit switch tick title turn type undo untick update use view yes
    nobody nothing everything everyone anyone something someone true false off exactly total sum count average""".split()
)
LONGEST_UNQUOTED = 40


def varied(steps: list[tuple[str, dict]], seed: str, words: list[str]) -> list[tuple[str, dict]]:
    """The steps of an episode, (prompt, action) each, changed alike; with `words`, those of the app are exchanged."""
    choice = random.Random(seed)
    task = steps[0][0].partition("\n")[0]
    changed = requoted(task, choice)
    prompts = [changed + prompt[len(task) :] for prompt, _ in steps]
    if choice.random() < 0.5 and not steps[-1][1].get("infeasible"):
        prompts = [MESSAGE.sub("", prompt) for prompt in prompts]
    steps = [(prompt, action) for prompt, (_, action) in zip(prompts, steps, strict=True)]
    return exchanged(steps, choice, words) if words else steps


def requoted(task: str, choice: random.Random) -> str:
    """Half of the tasks as people write them: short names without quotes, or in quotes of another kind."""
    if choice.random() < 0.5:
        return task

    def change(match: re.Match) -> str:
        if len(match[1]) > LONGEST_UNQUOTED or match[1][-1] in ".!?":
            return match[0]
        begin, end = choice.choice([("", ""), ("", ""), ("“", "”"), ("'", "'"), ('"', '"')])
        return f"{begin}{match[1]}{end}"

    return QUOTED.sub(change, task)


def exchanged(steps: list[tuple[str, dict]], choice: random.Random, words: list[str]) -> list[tuple[str, dict]]:
    """Other words for things, the same in task, steps and screens.

    What a step says or points at without standing in the task is meant, not named: it keeps its words.
    """
    task = stems_of(steps[0][0].partition("\n")[0])
    meant = set().union(*(stems_of(pointed_at(prompt, action)) for prompt, action in steps)) - task
    known = sorted(set().union(*(stems_of(prompt) for prompt, _ in steps)) - meant)
    share = choice.uniform(0.2, 1)
    # Only what stands on a screen: a word of the task alone may be another word for something shown.
    shown = set().union(*(stems_of(prompt.partition("\n")[2]) for prompt, _ in steps))
    named = [stem for stem in known if stem in shown and choice.random() < share]
    instead = dict(zip(named, choice.sample(words, len(named)), strict=True))

    def change(match: re.Match) -> str:
        word = match[0]
        stem = stem_of(word)
        if stem not in instead:
            return word
        other = instead[stem] + ("s" if word.lower() != stem else "")
        return other.upper() if word.isupper() else other.capitalize() if word[0].isupper() else other

    exchange = lambda text: WORD.sub(change, text)
    said = ("text", "option", "answer")
    return [
        (
            "".join(part if part.startswith("<") else exchange(part) for part in re.split(r"(<[a-z]+\d*>)", prompt)),
            {key: exchange(value) if key in said else value for key, value in action.items()},
        )
        for prompt, action in steps
    ]


def pointed_at(prompt: str, action: dict) -> str:
    """The line of the element, and the option that is chosen."""
    mark = prompt.rfind(f"<{action['ref']}>") if "ref" in action else -1
    line = prompt[prompt.rfind("\n", 0, mark) : mark].partition("{")[0] if mark >= 0 else ""
    return f"{line} {action.get('option', '')}"


def stems_of(text: str) -> set[str]:
    return {stem for word in WORD.findall(text) if (stem := stem_of(word)) not in KEPT and word.lower() not in KEPT}


def stem_of(word: str) -> str:
    small = word.lower()
    return small[:-1] if len(small) > 3 and small.endswith("s") and not small.endswith("ss") else small
