"""A session in which something of every kind happened, and a brief of it as the rules write one."""

from tests.session.talk import agent, edit, human, refuse, run
from thruline.session.parts import Asked, Call, Changed, Part, Planned, Result, Rewound, Said, Tasks

HOME = "/home/dev/ferry"
SESSION: list[Part] = [
    Changed(1, "cwd", HOME),
    Changed(1, "branch", "tides"),
    human(2, "See to the timetable.", time="2026-05-03T08:00:00Z"),
    Said(3, "client", "plan", "# Mend the timetable\nRead the tides.", uuid="p3"),
    Planned(4, "Cache the tides.", "proposed", call_id="p4"),
    Planned(5, "", "refused", call_id="p4"),
    Planned(6, "Read the tides twice.", "proposed", call_id="p6"),
    Planned(7, "", "approved", call_id="p6"),
    *edit(8, f"{HOME}/src/tide.py", "created"),
    *edit(10, f"{HOME}/src/ebb.py"),
    *run(12, "git commit -am Tides", commits=(("bc4d18f", "Tides"),)),
    *refuse(14, f"{HOME}/src/flood.py"),
    human(15, "Leave the flood alone.", "rejection", about=f"Edit {HOME}/src/flood.py"),
    Call(16, "c16", "Bash", "run", "rm -rf build"),
    Result(17, "c16", "refused", 9, text="no"),
    human(17, "Never remove the build.", "rejection", about="Bash rm -rf build"),
    *run(18, "make tides", "error", exit_status=2, text="boom"),
    *run(20, "make tides", "error", exit_status=2, text="boom"),
    *run(22, "make ebb"),
    Call(24, "c24", "Edit", "edit", f"{HOME}/src/reef.py", paths=(f"{HOME}/src/reef.py",)),
    Result(25, "c24", "error", 9, text="String to replace was not found."),
    Asked(26, "Which harbour?", ("North", "South"), ""),
    Asked(27, "How are the tides told?", ("By the moon", "By the sun"), "By the sun"),
    Tasks(28, (("Chart the reef", "in_progress"), ("Paint the buoy", "pending"), ("Sweep", "pending"))),
    Call(29, "c29", "Edit", "edit", f"{HOME}/src/lamp.py", paths=(f"{HOME}/src/lamp.py",), before=1, after=2),
    Result(29, "c29", "ok", 9, changes=((f"{HOME}/src/lamp.py", "edited"),)),
    human(30, "Go back to the ebb."),
    Call(31, "c31", "Edit", "edit", f"{HOME}/src/lamp.py", paths=(f"{HOME}/src/lamp.py",), before=2, after=1),
    Result(31, "c31", "ok", 9, changes=((f"{HOME}/src/lamp.py", "edited"),)),
    Call(31, "d31", "Bash", "run", "git checkout -- src/tide.py"),
    Result(31, "d31", "ok", 9),
    Rewound(31, 30, 30),
    Call(32, "c32", "Task", "delegate", "Sound the channel"),
    Result(33, "c32", "error", 9, text="lost"),
    *edit(34, f"{HOME}/src/ebb.py"),
    agent(36, "The ebb is read first now."),
    *run(38, "rm src", "refused", text="no"),
]
BRIEF = """\
# Brief: ferry, 2026-05-03

## Convergence
_Nothing was found for this section._

## Dead-ends
### Overruled by the user
- Refused `Bash rm -rf build`:
  > user, transcript:L17: `Never remove the build.`
- A plan, refused:
  > agent, transcript:L4: `Cache the tides.`
### Disproved by evidence
- > agent, transcript:L36: `The ebb is read first now.`

## Code-state
- created `src/tide.py` (`transcript:L9`)

## Open-threads & conflicts
- ⚑ verify: untested: nothing ran after the last edit. (`transcript:L35`)
- ⚑ verify: not committed by the session: `src/ebb.py`. (`transcript:L13-L35`)

## Basics
### Asked and decided
- Begun with a plan:
  > client, transcript:L3: `Mend the timetable`
- > user, transcript:L2: `See to the timetable.`

## Sources
- `transcript` `/x/s.jsonl` · session `0b7e5c1a`
- by `rules`
"""
