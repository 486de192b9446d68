"""Problems and reports as JSON: between processes, and as reports are kept."""

from typing import Final

import msgspec

from service.ports import Problem, Report

encode: Final = msgspec.json.Encoder().encode
decode_problem: Final = msgspec.json.Decoder(Problem).decode
decode_report: Final = msgspec.json.Decoder(Report).decode
