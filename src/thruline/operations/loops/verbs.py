"""What can be done to a loop: started, brought to the front, held, let go on, ended."""

import os
import shlex
from dataclasses import dataclass, replace

from thruline.artifacts.frontmatter import parse_document
from thruline.artifacts.loop import LONGEST_SLUG, Loop, change_status, check_known, check_writable, render_loop
from thruline.artifacts.loop_leave import has_leave, remove_leave, write_leave
from thruline.artifacts.loop_step import ACTIVE, BY_USER, CANCELLED, MOST_UNTIL_SECONDS, PAUSED, UNTIL_SECONDS
from thruline.artifacts.slug import build_stamped_id
from thruline.clock import read_clock, render_time
from thruline.errors import Refused, ThrulineError, UsageError
from thruline.layout import HookPaths, ProjectPaths, build_project_key, find_state_dir
from thruline.operations.loops.lengths import check_length, check_size, check_until
from thruline.operations.loops.run_note import end_left_running
from thruline.operations.loops.store import Loops, change_loops, find_loop_id, read_loop
from thruline.operations.loops.until import end_left_command
from thruline.operations.packets.pickup import pick_up
from thruline.operations.sessions.current import Current, find_current
from thruline.operations.stamped import find_stamped_ids


@dataclass(frozen=True, slots=True)
class Wish:
    """A loop to be started, as it was asked for; `packet` is where its prompt comes from, "" where it was given."""

    prompt: str = ""
    packet: str = ""
    max_iterations: int = 0
    promises: tuple[str, ...] = ()
    until: str = ""
    until_seconds: int = UNTIL_SECONDS


@dataclass(frozen=True, slots=True)
class Changed:
    """A loop after a change. `behind` is the loop that it took the foreground of its session from."""

    loop: Loop
    what: str
    front: bool
    behind: str = ""


def start_loop(paths: ProjectPaths, wish: Wish, current: Current) -> Changed:
    """A new loop in the foreground of `current`."""
    check_wish(wish)
    check_session(paths, current)
    prompt, promises, most, source = wish.prompt, wish.promises, wish.max_iterations, ""
    if wish.packet:
        picked = pick_up(paths, wish.packet)
        source, prompt = picked.packet.id, picked.prompt
        promises = promises or _read_promises(picked.packet.document.get("loop_promise"))
        most = most or _read_number(picked.packet.document.get("loop_max_iterations"))
        check_wish(replace(wish, prompt=prompt, packet="", promises=promises))
    moment = read_clock()
    with change_loops(paths) as loops:
        loop_id = build_stamped_id(moment, prompt, LONGEST_SLUG, find_stamped_ids(paths.loops))
        data = render_loop(
            loop_id,
            moment,
            prompt,
            session=current.name,
            promises=promises,
            max_iterations=most,
            until=wish.until,
            until_seconds=wish.until_seconds,
            source_packet_id=source,
        )
        check_size(data)
        check_length(data, current.name)
        loops.write(loop_id, data)
        behind = loops.pointer.sessions.get(current.session, "")
        loops.pointer = loops.pointer.put(current.session, loop_id)
        return _give_leave(paths, Changed(loops.read(loop_id), "started", True, behind))


def _give_leave(paths: ProjectPaths, made: Changed) -> Changed:
    check_until(made.loop.until)
    # Before the change is made: killed in between, a leave for a loop that is not there holds nobody.
    write_leave(find_leave(paths, made.loop.id), made.loop.until)
    return made


def find_leave(paths: ProjectPaths, loop_id: str) -> str:
    """Where the user's leave for a loop lies."""
    key = build_project_key("", os.path.realpath(paths.root))
    return HookPaths(find_state_dir(), key).build_loop_leave(loop_id)


def check_leave(paths: ProjectPaths, loop: Loop) -> None:
    """Refused for a loop that was not started, or brought to the front, by a user of this machine as it is now."""
    if not has_leave(find_leave(paths, loop.id), loop.document):
        runs = f" It would run: {loop.until}" if loop.until else ""
        raise Refused(
            f"This loop is not yours as it stands: it was started elsewhere, or its command changed.{runs}",
            where=loop.document.path,
            next=f"read it, then thruline loop activate {loop.id}",
        )


def activate_here(paths: ProjectPaths, ref: str, session: str, folder: str) -> Changed:
    """Brings a loop to the front of the session that was named; else of its own; else of the one that runs this."""
    loop_id = find_loop_id(paths, ref)
    own = bool(read_loop(paths, loop_id).session) and not session
    return activate_loop(paths, loop_id, None if own else find_current(folder, session))


def activate_loop(paths: ProjectPaths, ref: str, current: Current | None = None) -> Changed:
    """Brings a loop to the front: of `current`, or of the session that it was started in; with the user's leave."""
    if current is not None:
        check_session(paths, current)
    with change_loops(paths) as loops:
        loop = loops.read(find_loop_id(paths, ref))
        check_known(loop)
        _check_room(loop)
        data = change_status(loop, ACTIVE, read_clock()) if loop.status == PAUSED else _touch(loop)
        name = current.name if current is not None else loop.session
        if not name:
            raise UsageError(
                "This loop belongs to no session yet.", where=loop.document.path, next="say which: --session ID"
            )
        check_length(data, name)
        session = name.partition(":")[2]
        behind = loops.pointer.sessions.get(session, "")
        loops.write(loop.id, _bind(data, loop, name))
        loops.pointer = loops.pointer.put(session, loop.id)
        made = Changed(loops.read(loop.id), "in the foreground", True, "" if behind == loop.id else behind)
        return _give_leave(paths, made)


def resume_loop(paths: ProjectPaths, ref: str, max_iterations: int = 0) -> Changed:
    """Lets a paused loop go on; in the foreground of its session where no other loop is."""
    with change_loops(paths) as loops:
        loop = loops.read(find_loop_id(paths, ref))
        check_writable(loop)
        if max_iterations:
            loop = _raise_limit(loops, loop, max_iterations)
        check_known(loop)
        _check_room(loop)
        data = change_status(loop, ACTIVE, read_clock())
        check_leave(paths, loop)
        loops.write(loop.id, data)
        session = loop.session.partition(":")[2]
        front = bool(session) and session not in loops.pointer.sessions
        if front:
            loops.pointer = loops.pointer.put(session, loop.id)
        return Changed(loops.read(loop.id), "active again", front)


def pause_loop(paths: ProjectPaths, ref: str, by: str = BY_USER) -> Changed:
    """Holds a loop; its session may stop."""
    return _end_or_free(paths, ref, PAUSED, by)


def cancel_loop(paths: ProjectPaths, ref: str) -> Changed:
    """Ends a loop for good; its file stays."""
    made = _end_or_free(paths, ref, CANCELLED)
    remove_leave(find_leave(paths, made.loop.id))
    return made


def _end_or_free(paths: ProjectPaths, ref: str, status: str, by: str = "") -> Changed:
    """Ends a loop; one whose file is broken holds nobody afterwards, and is told."""
    with change_loops(paths) as loops:
        loop_id = find_loop_id(paths, ref)
        broken: ThrulineError | None = None
        try:
            loops.read(loop_id)
        except ThrulineError as error:  # of whatever kind: broken, too large, somebody else's
            broken = error
            loops.pointer = loops.pointer.drop(loop_id)
        else:
            made = _end(loops, loop_id, status, by)
    end_left_running(paths, loop_id, for_good=status == CANCELLED)
    end_left_command(find_leave(paths, loop_id))
    if broken is None:
        return made
    remove_leave(find_leave(paths, loop_id))
    raise Refused(
        f"{broken.what} It holds no session any more; its file was left as it is.",
        where=broken.where,
        next="mend or remove the file",
    )


def stop_loops(paths: ProjectPaths) -> tuple[list[Changed], list[str]]:
    """Holds every active loop of the project at once, and tells which files were no loop that could be held."""
    made: list[Changed] = []
    problems: list[str] = []
    with change_loops(paths) as loops:
        every = find_stamped_ids(paths.loops)  # not before: what was broken off is completed by now
        for loop_id in every:
            try:
                if loops.read(loop_id).status == ACTIVE:
                    made.append(_end(loops, loop_id, PAUSED, BY_USER))
            except ThrulineError as error:
                problems.append(f"{loop_id}: {error.what}")
                loops.pointer = loops.pointer.drop(loop_id)
    for loop_id in every:  # also of those that were held before: a killed driver may have left its client
        end_left_running(paths, loop_id)
        end_left_command(find_leave(paths, loop_id))
    return made, problems


def check_wish(wish: Wish) -> None:
    """Raises where no loop can be made of it."""
    if bool(wish.prompt.strip()) == bool(wish.packet):
        raise UsageError("A loop needs a prompt or a packet.", where="thruline loop start", next="give one of the two")
    if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in wish.prompt):
        raise UsageError(
            "The prompt holds what is no text: a zero byte, or bytes that are not UTF-8.",
            where="thruline loop start",
            next="put it into a file of the project, and let the prompt name that file",
        )
    for promise in wish.promises:
        if not promise.strip() or promise != promise.strip() or "<" in promise or "\n" in promise:
            raise UsageError(
                f'"{promise}" can be no promise.', where="--promise", next="plain words on one line, such as DONE"
            )
    if wish.until and not wish.promises and not wish.packet:
        raise UsageError(
            "--until is asked when a promise is made, and this loop has none.", where="--until", next="--promise DONE"
        )
    if not 0 < wish.until_seconds <= MOST_UNTIL_SECONDS:
        raise UsageError(
            f"--until-seconds is from 1 to {MOST_UNTIL_SECONDS}: a client waits no longer.",
            where="--until-seconds",
            next="use a quicker command",
        )


def check_session(paths: ProjectPaths, current: Current) -> None:
    """Raises where the session's hooks would look for its loop elsewhere: it belongs to the project it began in."""
    if current.root and current.root != os.path.realpath(paths.root):
        raise Refused(
            "That session belongs to another project.",
            where=current.root,
            next=f"thruline -C {shlex.quote(current.root)} loop …",
        )


def _end(loops: Loops, loop_id: str, status: str, by: str = "") -> Changed:
    data = change_status(loops.read(loop_id), status, read_clock(), by=by)
    loops.write(loop_id, data)
    loops.pointer = loops.pointer.drop(loop_id)
    return Changed(loops.read(loop_id), status, False)


def _touch(loop: Loop) -> bytes:
    check_writable(loop)
    if loop.status != ACTIVE:
        change_status(loop, ACTIVE, read_clock())  # tells why it cannot be
    return loop.document.set("updated_at", render_time(read_clock())).render()


def _bind(data: bytes, loop: Loop, name: str) -> bytes:
    return parse_document(data, loop.document.path).set("session", name).render()


def _raise_limit(loops: Loops, loop: Loop, most: int) -> Loop:
    loops.write(loop.id, loop.document.set("max_iterations", most).render())
    return loops.read(loop.id)


def _check_room(loop: Loop) -> None:
    if loop.max_iterations and loop.iteration >= loop.max_iterations and loop.status == PAUSED:
        raise Refused(
            f"This loop has had its {loop.max_iterations} iterations.",
            where=loop.document.path,
            next=f"thruline loop resume {loop.id} --max-iterations {2 * loop.max_iterations}",
        )


def _read_promises(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(str(one) for one in value)
    return (value,) if isinstance(value, str) and value else ()


def _read_number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
