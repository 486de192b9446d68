"""One example of every message, beside the very text that goes over the wire."""

from service.protocol import messages, shapes
from service.protocol.boards import BoardPage, BoardPlayer, BoardRow, BoardTop
from service.protocol.messages import ClientMessage, ServerMessage
from service.protocol.shapes import LegalMove, Points, Seat

POINTS = Points(total=148, promoted=1, tempo=48, assists=0, won=False)
POINTS_TEXT = '{"total":148,"promoted":1,"tempo":48,"assists":0,"won":false}'
LEGAL = [LegalMove("a4b1", "fill", False)]
LEGAL_TEXT = '[{"move":"a4b1","kind":"fill","reveals":false}]'

SESSION = shapes.Session(
    id="ID",
    rules="modern",
    deal="pysol:1",
    mode="solo",
    secret=False,
    spectators=True,
    created_at="2026-11-01T09:30:00.000Z",
    seq=1,
    crc="9a0b12ff",
    status="playing",
    rows=[["9D", ""], ["9S8D", "2H"]],
    foundations=[1, 1, 1, 1, 1, 1, 2, 1],
    stock=48,
    waste="",
    must_fill="b1",
    legal=LEGAL,
    points=POINTS,
    can_undo=True,
    can_redo=False,
    seats=[Seat(0, "9c1d2ab06679f1c4", "Quiet Heron")],
    capacity=1,
    invite=None,
    turn=None,
    you=0,
)
SESSION_TEXT = (
    '{"id":"ID","rules":"modern","deal":"pysol:1","mode":"solo","secret":false,"spectators":true,'
    '"created_at":"2026-11-01T09:30:00.000Z","seq":1,"crc":"9a0b12ff","status":"playing",'
    '"rows":[["9D",""],["9S8D","2H"]],"foundations":[1,1,1,1,1,1,2,1],"stock":48,"waste":"","must_fill":"b1",'
    f'"legal":{LEGAL_TEXT},"points":{POINTS_TEXT},"can_undo":true,"can_redo":false,'
    '"seats":[{"seat":0,"player":"9c1d2ab06679f1c4","name":"Quiet Heron"}],"capacity":1,"invite":null,"turn":null,'
    '"you":0}'
)


def event(seq: int) -> shapes.Event:
    """The entry `seq` of a log whose checksums are its numbers."""
    return shapes.Event(
        session="ID",
        seq=seq,
        crc=messages.format_crc(seq),
        seat=0,
        kind="promote",
        time=42,
        move="b1G",
        count=0,
        piles={"b1": ""},
        revealed=[("a4", "7H")],
        foundations=[1, 1, 1, 1, 1, 1, 2, 1],
        stock=47,
        waste="",
        must_fill="b1",
        status="playing",
        points=POINTS,
        legal=LEGAL,
        turn=None,
        can_undo=True,
        can_redo=False,
    )


EVENT_TEXT = (
    '{"type":"event","session":"ID","seq":22,"crc":"00000016","seat":0,"kind":"promote","time":42,"move":"b1G",'
    '"count":0,"piles":{"b1":""},"revealed":[["a4","7H"]],"foundations":[1,1,1,1,1,1,2,1],"stock":47,"waste":"",'
    f'"must_fill":"b1","status":"playing","points":{POINTS_TEXT},"legal":{LEGAL_TEXT},'
    '"turn":null,"can_undo":true,"can_redo":false}'
)

REFUSED_TEXT = (
    '{"type":"refused","code":"illegal_move","detail":"No.","session":"ID","at":21,"reason":"wrong_rank",'
    f'"legal":{LEGAL_TEXT}}}'
)

TOPIC = "board:2026-11-30/modern/first/people"
BOARD = BoardPage(
    rules="modern",
    date="2026-11-30",
    final=False,
    scope="first",
    field="people",
    view="top",
    size=1,
    rows=[BoardRow(rank=1, player=BoardPlayer("9c1d2ab06679f1c4", "Quiet Heron"), points=148, won=False)],
    next=None,
)
BOARD_TEXT = (
    '{"rules":"modern","date":"2026-11-30","final":false,"scope":"first","field":"people","view":"top","size":1,'
    '"rows":[{"rank":1,"player":{"id":"9c1d2ab06679f1c4","name":"Quiet Heron"},"points":148,"won":false}],"next":null}'
)

FROM_CLIENT: list[tuple[ClientMessage, str]] = [
    (
        messages.Hello(1, "ticket", 17, "9a0b12ff"),
        '{"type":"hello","v":1,"ticket":"ticket","seq":17,"crc":"9a0b12ff","legal":true,"winnable":false}',
    ),
    (
        messages.Sub("session:ID", 17, "9a0b12ff", winnable=True),
        '{"type":"sub","topic":"session:ID","seq":17,"crc":"9a0b12ff","winnable":true}',
    ),
    (messages.Unsub("session:ID"), '{"type":"unsub","topic":"session:ID"}'),
    (messages.Unsub(TOPIC), f'{{"type":"unsub","topic":"{TOPIC}"}}'),
    (
        messages.Play("ID", "c2f1", 21, "9a0b12ff"),
        '{"type":"play","session":"ID","move":"c2f1","at":21,"crc":"9a0b12ff"}',
    ),
    (
        messages.Undo("ID", 21, "9a0b12ff", "step"),
        '{"type":"undo","session":"ID","at":21,"crc":"9a0b12ff","by":"step"}',
    ),
    (
        messages.Redo("ID", 21, "9a0b12ff", "group"),
        '{"type":"redo","session":"ID","at":21,"crc":"9a0b12ff","by":"group"}',
    ),
    (
        messages.Consent("ID", 2, 21, "9a0b12ff"),
        '{"type":"consent","session":"ID","count":2,"at":21,"crc":"9a0b12ff"}',
    ),
    (messages.React("ID", "well_played"), '{"type":"react","session":"ID","phrase":"well_played"}'),
    (messages.Ping(), '{"type":"ping"}'),
]

FROM_SERVER: list[tuple[ServerMessage, str]] = [
    (messages.Welcome(1, 1_793_525_400_000, 20), '{"type":"welcome","v":1,"now":1793525400000,"ping":20}'),
    (
        messages.Snapshot("session:ID", SESSION),
        f'{{"type":"snapshot","topic":"session:ID","session":{SESSION_TEXT}}}',
    ),
    (
        messages.Reset("session:ID", SESSION),
        f'{{"type":"reset","topic":"session:ID","session":{SESSION_TEXT}}}',
    ),
    (messages.Subbed("session:ID", 21), '{"type":"subbed","topic":"session:ID","seq":21}'),
    (messages.Unsubbed("session:ID"), '{"type":"unsubbed","topic":"session:ID"}'),
    (event(22), EVENT_TEXT),
    (
        messages.Ack("ID", 21, 22, "9a0b12ff"),
        '{"type":"ack","session":"ID","at":21,"seq":22,"crc":"9a0b12ff"}',
    ),
    (
        messages.Refused("illegal_move", "No.", session="ID", at=21, reason="wrong_rank", legal=LEGAL),
        REFUSED_TEXT,
    ),
    (
        messages.Refused("no_such_day", "No.", topic=TOPIC),
        f'{{"type":"refused","code":"no_such_day","detail":"No.","topic":"{TOPIC}"}}',
    ),
    (
        messages.Stale("ID", 21, [event(22)]),
        f'{{"type":"stale","session":"ID","at":21,"missed":[{EVENT_TEXT}]}}',
    ),
    (
        messages.Presence("ID", [0, 1], 2),
        '{"type":"presence","session":"ID","seats":[0,1],"spectators":2}',
    ),
    (
        messages.Reaction("ID", 0, "well_played"),
        '{"type":"reaction","session":"ID","seat":0,"phrase":"well_played"}',
    ),
    (
        messages.Winnable("ID", 22, "9a0b12ff", "unknown"),
        '{"type":"winnable","session":"ID","seq":22,"crc":"9a0b12ff","winnable":"unknown"}',
    ),
    (messages.Analysis("ID", 22, 3), '{"type":"analysis","session":"ID","seq":22,"searches":3}'),
    (BoardTop(TOPIC, BOARD), f'{{"type":"board","topic":"{TOPIC}","board":{BOARD_TEXT}}}'),
    (messages.Pong(), '{"type":"pong"}'),
    (messages.Bye("going_away", 1000), '{"type":"bye","code":"going_away","retry_ms":1000}'),
]
