"""Breadth first through the states of one table, within a budget, and what must hold held at each.

A state is looked at once. What follows from it is tried a few entries at a time, those first of whose kind least has
come; then it is the turn of a state of another group, so that the second hand, the second trouble and what comes after
an `undo` are reached beside the first. From every state, or a share of them, people who do as they are told play on
until the hand is over: the states on that way are looked at as any other.
"""

import random
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field
from typing import NamedTuple

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from tests.core.test_amend_any_story import render_without_rulings
from tests.explore import laws
from tests.explore.canonical import CanonicalForm
from tests.explore.entries import Line, Trial, iter_answers, list_trials
from tests.explore.laws import LawBrokenError, take

MAX_TROUBLES = 3
"""Reports, decisions of the floor and the like on one path."""
MAX_HANDS = 2
REGULAR_WIDTH, TROUBLE_WIDTH = 2, 6
"""So many entries of each sort that lead somewhere are made at a state before another has its turn."""
MAX_REFUSALS = 24
"""So many refusals at most in a turn."""
MAX_WAITING = 300
"""So many states of one group wait for their turn at most."""
MAX_FAILURES = 6
"""Failures of one table that are told; a table with so many is explored no further."""

Group = tuple[int, int, bool, str]
"""Hand, troubles so far, whether something was taken back, what is due."""


@dataclass(eq=False, slots=True)
class Node:
    """A state on the way by which it was reached first."""

    table: Table
    digest: int
    parent: "Node | None" = None
    line: Line | None = None
    troubles: int = 0
    has_undone: bool = False
    befores: tuple[Table, ...] = ()
    """Where `undo` leads, again and again."""
    tried: int = 0
    """A bit for each of its trials that was made."""

    @property
    def hand(self) -> int:
        """Which hand of the table it is in, or comes after."""
        return self.table.outcome.state.hand_count

    @property
    def group(self) -> Group:
        """What takes its turn together."""
        return self.hand, self.troubles, self.has_undone, _name_first_step(self.table)

    @property
    def key(self) -> int:
        """The digest of the state, another one where something was taken back or put right on the way."""
        return self.digest ^ (0x5A5A5A5A if self.has_undone else 0)

    def list_lines(self) -> list[Line]:
        """The lines that lead here."""
        lines: list[Line] = []
        node: Node | None = self
        while node is not None and node.line is not None:
            lines.append(node.line)
            node = node.parent
        return lines[::-1]


class Failure(NamedTuple):
    """A law that did not hold, and the script that shows it, its `table` line first."""

    law: str
    found: str
    signature: str
    script: tuple[Line, ...]


@dataclass(slots=True)
class Figures:
    """What was reached."""

    states: int = 0
    edges: int = 0
    refusals: int = 0
    left_waiting: int = 0
    ends: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    """By the word of the line: event, report, decision."""
    steps: Counter[str] = field(default_factory=Counter)
    rules: set[str] = field(default_factory=set)
    findings: set[str] = field(default_factory=set)

    def add(self, other: "Figures") -> None:
        """Count another table's beside these."""
        self.states += other.states
        self.edges += other.edges
        self.refusals += other.refusals
        self.left_waiting += other.left_waiting
        self.ends += other.ends
        self.taken += other.taken
        self.steps += other.steps
        self.rules |= other.rules
        self.findings |= other.findings


class Explorer:
    """One table, from its `table` line on."""

    def __init__(self, opening: Line, budget: int, seed: int, share: int = 1, max_failures: int = MAX_FAILURES) -> None:
        """Look at `budget` states; hold what costs most at one of `share` of them; end with so many failures."""
        self.figures = Figures()
        self.failures: list[Failure] = []
        self._opening, self._budget, self._share = opening, budget, share
        self._book, self._max_failures = opening["rulebook"], max_failures
        self._salt = random.Random(f"{seed} {opening}").randrange(1 << 20)
        root = Table()
        setup = root.handle(parse_table_line(opening)).state.setup
        self._form = CanonicalForm(setup)
        self._seen: set[int] = set()
        self._ending: set[int] = set()
        self._signatures: set[str] = set()
        self._kinds: Counter[str] = Counter()
        self._groups: OrderedDict[Group, deque[Node]] = OrderedDict()
        self._root = Node(root, self._form.make_digest(root))

    @property
    def digests(self) -> frozenset[int]:
        """The states that were looked at."""
        return frozenset(self._seen)

    @property
    def is_over(self) -> bool:
        """Whether as much as was asked for has been looked at, or failed."""
        return self.figures.states >= self._budget or len(self.failures) >= self._max_failures

    def explore(self) -> None:
        """Look at states until the budget is used or none is left."""
        self._visit(self._root)
        node: Node | None = self._root
        for _ in range(MAX_HANDS):  # without trouble first
            node = node and self._enter(node, {"ev": "start"})
            node = node and self._lead_to_the_end(node)
        while not self.is_over and (node := self._pop()) is not None:
            self._expand(node)
        self.figures.left_waiting = sum(map(len, self._groups.values()))

    def _pop(self) -> Node | None:
        while self._groups:
            group, waiting = next(iter(self._groups.items()))
            if waiting:
                self._groups.move_to_end(group)
                return waiting.popleft()
            del self._groups[group]
        return None

    def _push(self, node: Node) -> None:
        waiting = self._groups.setdefault(node.group, deque())
        if len(waiting) < MAX_WAITING and node.hand <= MAX_HANDS and (node.hand or not node.troubles):
            waiting.append(node)

    def _expand(self, node: Node) -> None:
        """Make a few of the entries that were not made yet."""
        shown = render_without_rulings(node.table.outcome)
        trials = list_trials(node.table, self._salt)
        left = [(nth, trial) for nth, trial in enumerate(trials) if not node.tried >> nth & 1]
        if node.troubles >= MAX_TROUBLES:
            left = [(nth, trial) for nth, trial in left if not trial.is_trouble]
        order = random.Random(node.key ^ self._salt)
        order.shuffle(left)
        left.sort(key=lambda each: self._kinds[each[1].kind])
        room = {False: REGULAR_WIDTH, True: TROUBLE_WIDTH}
        refusals, made = MAX_REFUSALS, []
        for nth, trial in left:
            if not room[trial.is_trouble]:
                continue
            if self.is_over or not refusals:
                break
            node.tried |= 1 << nth
            made.append(trial)
            child = self._enter(node, trial.line, trial)
            if child is None:
                refusals -= 1
            else:
                room[trial.is_trouble] -= 1
                self._visit(child)
        self._form.forget_values()
        if self._form.make_digest(node.table) != node.digest or render_without_rulings(node.table.outcome) != shown:
            culprit = self._find_culprit(node, [trial.line for trial in made])
            self._fail(node, culprit, LawBrokenError(laws.OTHER_TABLES, "the table before it has changed"))
        elif len(left) > len(made) and made:
            self._push(node)

    def _find_culprit(self, node: Node, made: list[Line]) -> Line | None:
        """Which of these lines, each entered at a copy, changes the table from which it was copied."""
        for line in made:
            table = Table()
            table.handle(parse_table_line(self._opening))
            for each in node.list_lines():
                take(table, each)
            digest = self._form.make_digest(table)
            take(table.copy(), line)
            self._form.forget_values()
            if self._form.make_digest(table) != digest:
                return line
        return None

    def _enter(self, node: Node, line: Line, trial: Trial | None = None) -> Node | None:
        """Make an entry at a copy of a table; `None` where it was refused, or broke a law."""
        table = node.table.copy()
        before: Outcome = table.outcome
        if trial is not None:
            self._kinds[trial.kind] += 1
        try:
            outcome = take(table, line)
            if outcome is None:
                self.figures.refusals += 1
                if trial is not None:
                    self._kinds[trial.kind] += 1  # what is refused comes up again less often
                if table.outcome is not before:
                    raise LawBrokenError("a refused entry changes nothing", "another outcome stands")
                return None
            laws.hold_laws_of_entry(self._book, node.table, table, line)
            laws.hold_undo(node.table, table)
        except LawBrokenError as error:
            self._fail(node, line, error)
            return None
        self.figures.edges += 1
        is_trouble = trial is not None and trial.is_trouble
        if trial is not None:
            word = line.get("what") or line.get("decide") or line.get("do") or ""
            self.figures.taken[f"{line['ev']} {word}".strip()] += 1
        for ruling in outcome.rulings:
            self.figures.rules.update(ruling.cite[:1])
            self.figures.findings.add(ruling.finding)
        goes_back = line["ev"] in ("undo", "amend")
        child = Node(table, self._form.make_digest(table), node, line, node.troubles + is_trouble)
        child.has_undone = (node.has_undone or goes_back) and child.hand == node.hand
        child.befores = laws.list_undone(node.befores, node.table, table, line)
        return child

    def _count(self, node: Node) -> bool:
        """Count a state and wait with it for its turn; whether it is new."""
        if node.key in self._seen:
            return False
        self._seen.add(node.key)
        self.figures.states += 1
        self.figures.steps[_name_first_step(node.table)] += 1
        self._push(node)
        return True

    def _visit(self, node: Node) -> None:
        """Look at a state that may be new, and wait with it for its turn."""
        if not self._count(node) or node.digest % self._share:
            return
        try:
            laws.hold_offers(node.table, self._salt)
            laws.hold_amendment_by_itself(node.table, node.digest)
            laws.hold_snapshot(node.table, self._salt)
            laws.hold_undo_of_everything(node.table, node.befores, self._form)
        except LawBrokenError as error:
            self._fail(node, None, error)
        self._lead_to_the_end(node)

    def _lead_to_the_end(self, node: Node) -> Node | None:
        """Let people do as they are told until the hand is over: every state has a way to the award.

        Returns where it ends, or whence one is known; `None` where there is none.
        """
        on_way: list[int] = []
        while not self.is_over:
            if node.key in self._ending or laws.is_at_rest(node.table.outcome.state):
                break
            on_way.append(node.key)
            if len(on_way) > laws.MAX_WAY:
                self._fail(node, None, LawBrokenError("a way leads to the award", "no end of it"))
                return None
            failed = len(self.failures)
            answers = iter_answers(node.table, self._salt)
            child = next((found for line in answers if (found := self._enter(node, line)) is not None), None)
            if child is None:
                if len(self.failures) == failed:
                    first = node.table.outcome.state.plan[:1]
                    self._fail(node, None, LawBrokenError("a way leads to the award", f"nobody can do {first}"))
                return None
            self._count(child)
            node = child
        self.figures.ends += laws.is_at_rest(node.table.outcome.state)
        self._ending.update(on_way)
        return node

    def _fail(self, node: Node, line: Line | None, error: LawBrokenError) -> None:
        if error.signature in self._signatures:
            return
        self._signatures.add(error.signature)
        script = (self._opening, *node.list_lines(), *(() if line is None else (line,)))
        self.failures.append(Failure(error.law, error.found, error.signature, script))


def _name_first_step(table: Table) -> str:
    plan = table.outcome.state.plan
    return type(plan[0]).__name__ if plan else "none"
