"""Random games with undo, redo and questions, beside a plain model of what they come to."""

from dataclasses import dataclass, field

from hypothesis import assume, given
from hypothesis import strategies as st

from service.engine import Game, Given, Kind, Move, Position, Rules, Status, apply, legal_moves
from service.engine.game import step_of
from service.engine.moves import kind_of
from tests.engine.games import Play, beginnings, choices, commanded, plays, preset_rules


def game_of(play: Play) -> Game:
    assume(not play.last.is_won)
    return commanded(Game.begin(Given(play.positions[0]), play.rules), " ".join(map(str, play.moves)))


@given(plays(), st.data())
def test_undoing_and_redoing_as_many_steps_changes_nothing(play: Play, data: st.DataObject) -> None:
    game = game_of(play)
    steps = data.draw(st.integers(0, len(play.moves)))
    back = commanded(game, "undo:1 " * steps)
    again = commanded(back, "redo:1 " * steps)

    assert back.position == play.positions[len(play.moves) - steps]
    assert (again.position, again.line, again.played) == (game.position, game.line, game.played)
    assert (again.must_fill, again.status) == (game.must_fill, game.status)
    assert again.points._replace(assists=0) == game.points._replace(assists=0)


@given(plays(), st.booleans())
def test_groups_undone_one_after_another_lead_to_the_start_and_redone_the_same_way_to_the_end(
    play: Play, by_group: bool
) -> None:
    game = game_of(play)
    stops = []
    while steps := game.undo_count(by_group):
        stops.append(game.position)
        game = commanded(game, f"undo:{steps}")
    assert game.position == play.positions[0]

    while steps := game.redo_count(by_group):
        game = commanded(game, f"redo:{steps}")
        assert game.position == stops.pop()
    assert game.position == play.last


@dataclass
class Model:
    """The positions and moves of a line, how many moves are on the board, and which stock cards were taken back."""

    rules: Rules
    positions: list[Position]
    moves: list[Move] = field(default_factory=list)
    played: int = 0
    most_dealt: int = 0
    asked: int = 0
    taken_back: set[int] = field(default_factory=set)

    @property
    def position(self) -> Position:
        return self.positions[self.played]

    @property
    def dealt(self) -> int:
        return len(self.positions[0].stock) - len(self.position.stock)

    @property
    def tempo(self) -> int:
        line = zip(self.positions, self.moves[: self.played], strict=False)
        return sum(len(position.stock) for position, move in line if kind_of(position, move) is Kind.PROMOTE)

    def command(self, choice: int) -> str:
        """A command that is possible here, carried out: moves three times in four."""
        legal = legal_moves(self.position, self.rules)
        if choice < 192 and legal:
            return self.play(legal[choice % len(legal)])
        if choice % 4 == 0 and self.played:
            return f"undo:{self.move_to(self.played - 1 - choice // 4 % self.played)}"
        if choice % 4 == 1 and self.played < len(self.moves):
            return f"redo:{self.move_to(self.played + 1 + choice // 4 % (len(self.moves) - self.played))}"
        if choice % 4 == 2 and self.played:
            self.move_to(0)
            return "restart"
        self.asked += 1
        return "ask" if choice % 2 else "hint:2"

    def play(self, move: Move) -> str:
        if self.moves[self.played : self.played + 1] != [move]:
            self.moves[self.played :] = [move]
            self.positions[self.played + 1 :] = [apply(self.position, move, self.rules)]
        self.played += 1
        self.most_dealt = max(self.most_dealt, self.dealt)
        return str(move)

    def move_to(self, played: int) -> int:
        steps, dealt = abs(self.played - played), self.dealt
        self.played = played
        self.taken_back |= set(range(self.dealt, dealt))
        return steps


@given(preset_rules.flatmap(lambda rules: st.tuples(st.just(rules), beginnings(rules))), choices(60))
def test_a_game_comes_to_what_a_plain_model_of_its_commands_says(
    begun: tuple[Rules, Position], commands: bytes
) -> None:
    rules, position = begun
    game, model = Game.begin(Given(position), rules), Model(rules, [position])
    for choice in commands:
        if game.status is Status.WON:
            break
        game = commanded(game, model.command(choice))
        points = game.points
        assert game.position == model.position
        assert ([step_of(letter).move for letter in game.line], game.played) == (model.moves, model.played)
        assert (points.promoted, points.tempo) == (model.position.promoted, model.tempo)
        assert points.assists == model.asked + len(model.taken_back)
        assert points.total >= 0
        for legal in game.legal:
            after = apply(game.position, legal.move, rules)
            assert legal.reveals == (len(position.stock) - len(after.stock) > model.most_dealt)
