"""Eight forks of one state, each taken to its verdict. First: npx espalier serve mail --port 8900 --out runs/group"""

import random
import sys

import espalier

url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8900"
with espalier.connect(url) as client:
    env = client.session("mail", task="star-message", seed=3)
    print(env.instruction)
    subject = env.instruction.split('"')[1]
    search = next(one.action["ref"] for one in env.candidates() if one.role == "textbox")
    env.step(espalier.fill(search, subject))
    group = env.fork(8)
    env.close()
    actions = [one.action for one in group[0].candidates() if subject in str(one.within)]
    client.step_many((fork, random.Random(index).choice(actions)) for index, fork in enumerate(group))
    ends = client.step_many((fork, espalier.finish()) for fork in group)
    print([end.reward for end in ends])
