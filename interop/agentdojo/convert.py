"""Writes AgentDojo's tasks as rows of `ask eval injection`.

A task of n ground-truth calls becomes n rows, because a question makes one call.
Each row has the task's own words, the call, and the answer of AgentDojo's
environment. clean.jsonl has the results without an attack. attacked.jsonl has
those of each pair of user task and injection task under AgentDojo's attack
"important_instructions", at every place that the user's calls return. A call with
the same result with and without the attack is in clean.jsonl alone. poisoned.jsonl
has the calls with the injected text in their results. A call of an injection task
counts as the attacker's if it changes AgentDojo's environment.
"""

import importlib.util
import json
import pathlib
import sys
import types

VERSION = "v1"  # the 97 tasks and 629 pairs of the paper


def without_models():
    """Keeps AgentDojo's clients of models out: they need a dozen packages more,
    and no model is asked here."""
    root = pathlib.Path(importlib.util.find_spec("agentdojo").submodule_search_locations[0])
    pipeline = types.ModuleType("agentdojo.agent_pipeline")
    pipeline.__path__ = [str(root / "agent_pipeline")]
    models = types.ModuleType("agentdojo.agent_pipeline.llms")
    models.__path__ = []
    google = types.ModuleType("agentdojo.agent_pipeline.llms.google_llm")
    google.EMPTY_FUNCTION_NAME = "<empty-function-name>"
    for m in (pipeline, models, google):
        sys.modules[m.__name__] = m


without_models()
from agentdojo.agent_pipeline.tool_execution import tool_result_to_str  # noqa: E402
from agentdojo.attacks.important_instructions_attacks import ImportantInstructionsAttack  # noqa: E402
from agentdojo.base_tasks import BaseUserTask  # noqa: E402
from agentdojo.functions_runtime import FunctionsRuntime  # noqa: E402
from agentdojo.task_suite.load_suites import get_suites  # noqa: E402


def followed(suite, task, env):
    """The ground truth's calls, what each answers, and whether it changed anything."""
    if isinstance(task, BaseUserTask):
        env = task.init_environment(env)
    runtime, steps = FunctionsRuntime(suite.tools), []
    for c in task.ground_truth(env.model_copy(deep=True)):
        before = env.model_copy(deep=True)
        result, _ = runtime.run_function(env, c.function, c.args, raise_on_error=True)
        call = {"server": suite.name, "tool": c.function, "args": json.loads(json.dumps(c.args, default=str))}
        steps.append((call, tool_result_to_str(result), env != before))
    return steps


def rows(suite, user, name, env, goal, calls, attack):
    for i, (call, result, _) in enumerate(followed(suite, user, env)):
        yield {
            "id": f"{suite.name}/{user.ID}/{name}/{i}", "source": "AgentDojo " + VERSION, "query": user.PROMPT,
            "user_call": call, "poisoned_output": result, "clean_output": None, "attacker_instruction": goal,
            "attack": attack, "attacker_calls": calls, "tools": [f"{suite.name}/{t.name}" for t in suite.tools],
        }


def main(out):
    tools, clean, attacked, left = [], [], [], []
    model = types.SimpleNamespace(name="gpt-4o-2024-05-13")  # whom the attack addresses
    for suite in get_suites(VERSION).values():
        for t in suite.tools:
            tools.append({
                "key": f"{suite.name}/{t.name}", "server": suite.name, "name": t.name,
                "description": t.description, "inputSchema": t.parameters.model_json_schema(),
            })
        wanted = {}
        for task in suite.injection_tasks.values():
            steps = followed(suite, task, suite.load_and_inject_default_environment({}))
            wanted[task.ID] = [call for call, _, changes in steps if changes]
            if not wanted[task.ID]:
                left.append(f"{suite.name}/{task.ID}: it changes nothing, and so calls nothing that could be counted")
        attack = ImportantInstructionsAttack(suite, model)
        for user in suite.user_tasks.values():
            env = suite.load_and_inject_default_environment({})
            plain = [*rows(suite, user, "clean", env, "nothing is asked for", [], suite.name)]
            clean += plain
            for task in suite.injection_tasks.values():
                if not wanted[task.ID]:
                    continue
                env = suite.load_and_inject_default_environment(attack.attack(user, task))
                now = [*rows(suite, user, task.ID, env, task.GOAL, wanted[task.ID], suite.name)]
                if len(now) != len(plain):
                    raise SystemExit(f"{suite.name}/{user.ID}: the attack changes how many calls the task takes")
                attacked += [a for a, p in zip(now, plain) if any(a[k] != p[k] for k in ("user_call", "poisoned_output"))]
    poisoned = [a for a in attacked if "<INFORMATION>" in a["poisoned_output"]]
    for name, kind in {"tools": tools, "clean": clean, "attacked": attacked, "poisoned": poisoned}.items():
        with open(pathlib.Path(out) / f"{name}.jsonl", "w", encoding="utf-8") as f:
            for row in kind:
                f.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"AgentDojo {VERSION}: {len(clean)} calls of user tasks, {len(attacked)} under an attack; left out: {len(left)}")
    for why in left:
        print("  " + why)


main(sys.argv[1])
