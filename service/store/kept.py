"""What is kept of a search, in any store: one place for each problem, whatever its budget."""

from typing import NamedTuple

from service.ports import Problem, Report


class Kept(NamedTuple):
    """A report, and the budget of the search that found it."""

    budget: int
    report: Report

    def report_for(self, problem: Problem) -> Report | None:
        """The report, if a search with the problem's budget could not find more."""
        return self.report if self.report.result != "gave_up" or self.budget >= problem.budget else None
