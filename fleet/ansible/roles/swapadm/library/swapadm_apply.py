#!/usr/bin/python3
"""Bring swap into a wanted state with `swapadm apply`."""

DOCUMENTATION = r"""
module: swapadm_apply
short_description: Bring swap into a wanted state
description:
  - Runs C(swapadm apply) if swap differs from the wanted state, and nothing otherwise.
  - The change is one plan, which C(swapadm undo) reverses; a change that fails is undone.
options:
  wanted:
    description: The wanted state, with the keys of swapadm-apply(8).
    type: dict
    required: true
  options:
    description: Options for C(swapadm apply), such as C(--persist) or C(--wait 60), quoted as in a shell.
    type: list
    elements: str
    default: []
  program:
    description: The program.
    type: str
    default: swapadm
"""

import json
import os
import shlex
import tempfile

from ansible.module_utils.basic import AnsibleModule


def apply(module, *arguments):
    """Run `swapadm apply` and return its exit status, its output, and its messages."""
    try:
        options = [word for option in module.params["options"] for word in shlex.split(option)]
    except ValueError as error:
        module.fail_json(msg=f"options: {error}")
    return module.run_command([module.params["program"], "apply", *arguments, *options])


def differences(module, path):
    """The lines of `swapadm apply --diff`; none where nothing differs."""
    status, output, messages = apply(module, path, "--diff")
    if status not in (0, 1):
        module.fail_json(msg=messages.strip() or output.strip(), rc=status)
    return output if status == 1 else ""


def require_program(module):
    """End the module where the program is missing, as in check mode before it is installed."""
    program = module.params["program"]
    if module.get_bin_path(program):
        return
    if module.check_mode:
        module.exit_json(changed=True, msg=f"{program} is not installed yet: what differs is not known")
    module.fail_json(msg=f"{program} is not installed: install the package of swapadm first")


def main():
    module = AnsibleModule(
        argument_spec={
            "wanted": {"type": "dict", "required": True},
            "options": {"type": "list", "elements": "str", "default": []},
            "program": {"type": "str", "default": "swapadm"},
        },
        supports_check_mode=True,
    )
    require_program(module)
    handle, path = tempfile.mkstemp(prefix="wanted", suffix=".json", dir=module.tmpdir)
    with os.fdopen(handle, "w") as file:
        json.dump(module.params["wanted"], file)
    diff = differences(module, path)
    result = {"changed": bool(diff), "diff": {"prepared": diff}}
    if not diff:
        module.exit_json(**result)
    how = ["--dry-run"] if module.check_mode else ["--yes"]
    status, output, messages = apply(module, path, "--json", *how)
    if status != 0:
        module.fail_json(msg=messages.strip() or output.strip(), rc=status, **result)
    result["outcome"] = json.loads(output)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
