"""The route of deals."""

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from service.protocol import shapes
from service.web.answers import answer, describes, problems
from service.web.dependencies import ALSO_WITHOUT_TOKEN, Cases, Viewer
from service.web.waiting import while_waited

router = APIRouter(prefix="/v1/deals", tags=["deals"])

_KEPT: Final = {"Cache-Control": "public, max-age=86400"}
"""Of what is found and so stays."""
_NOT_KEPT: Final = {"Cache-Control": "no-store"}


@router.get(
    "/{deal:path}",
    operation_id="readDeal",
    openapi_extra=ALSO_WITHOUT_TOKEN,
    summary="See whether a deal can be won",
    responses={200: describes(shapes.DealReport, "What is known of it by now."), **problems(400, 401)},
)
async def read_deal(
    cases: Cases,
    request: Request,
    viewer: Viewer,
    deal: Annotated[
        str, Path(max_length=1000, description="The deal's text: `42`, `pysol:42`, `seed:…`, `position:…`.")
    ],
    rules: Annotated[str, Query(max_length=100, description="A preset.")] = "modern",
    wait: Annotated[float, Query(ge=0, le=60, description="Seconds to wait for the search.")] = 25,
) -> Response:
    """How hard it is, and a win of it as a record. A search that takes longer goes on for a minute: ask again."""

    async def asked() -> Response:
        report = await cases.deals.report(deal, rules, wait)
        is_settled = report.done and report.winnable != "unknown"
        return answer(report, headers=_KEPT if is_settled else _NOT_KEPT)

    return await while_waited(request, asked())
