"""How long an evening waits for an answer: on an idle machine as long as said, on a busy one until it was let run."""

from tests.evenings.house import MAX_SECONDS, wait_while_busy


class Machine:
    """A machine on which others have this share of the time; what is waited for comes after so much work."""

    def __init__(self, share: float, work: float = float("inf")) -> None:
        self.share, self.work = share, work
        self.now = self.delay = 0.0

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        self.delay += seconds * self.share
        return self.now - self.delay >= self.work

    def is_answered(self, seconds: float) -> bool:
        return wait_while_busy(self.wait, lambda: self.delay, seconds, clock=lambda: self.now)


def test_an_idle_machine_is_given_the_seconds_and_no_more() -> None:
    machine = Machine(share=0.02)
    assert not machine.is_answered(4.0)
    assert machine.now == 4.0


def test_a_busy_machine_is_given_the_seconds_in_which_it_was_let_run() -> None:
    assert not Machine(share=0.0, work=5.0).is_answered(4.0)
    busy = Machine(share=0.8, work=3.0)
    assert busy.is_answered(4.0)
    assert busy.now > 3.0 / 0.2 - 1e-6


def test_a_machine_that_lets_nobody_run_is_not_waited_for_for_ever() -> None:
    machine = Machine(share=1.0)
    assert not machine.is_answered(4.0)
    assert MAX_SECONDS < machine.now < MAX_SECONDS + 5.0
