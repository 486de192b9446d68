/** Short names for what the service answers, as they are in its contract. */
import type { components } from "./openapi.gen.ts";

type Schemas = components["schemas"];

export type AnalysedMove = Schemas["AnalysedMove"];
export type Analysis = Schemas["Analysis"];
export type BoardPage = Schemas["BoardPage"];
export type BoardPlayer = Schemas["BoardPlayer"];
export type BoardRow = Schemas["BoardRow"];
export type Calendar = Schemas["Calendar"];
export type CalendarDay = Schemas["CalendarDay"];
export type Daily = Schemas["Daily"];
export type DailyStatistics = Schemas["DailyStatistics"];
export type DaySummary = Schemas["DaySummary"];
export type DealReport = Schemas["DealReport"];
export type Event = Schemas["Event"];
export type Events = Schemas["Events"];
export type FieldError = Schemas["FieldError"];
export type Followed = Schemas["Followed"];
export type Following = Schemas["Following"];
export type Hint = Schemas["Hint"];
export type HistoryPage = Schemas["HistoryPage"];
export type LegalMove = Schemas["LegalMove"];
export type NewPlayer = Schemas["NewPlayer"];
export type NewSession = Schemas["NewSession"];
export type Outlook = Schemas["Outlook"];
export type OwnRun = Schemas["OwnRun"];
export type Page = Schemas["Page"];
export type Person = Schemas["Person"];
export type Player = Schemas["Player"];
export type Points = Schemas["Points"];
export type Profile = Schemas["Profile"];
export type Recovered = Schemas["Recovered"];
export type RecoveryCode = Schemas["RecoveryCode"];
export type Row = Schemas["Row"];
export type RunInfo = Schemas["RunInfo"];
export type Seat = Schemas["Seat"];
export type Session = Schemas["Session"];
export type StreakCounts = Schemas["StreakCounts"];
export type Summary = Schemas["Summary"];
export type Ticket = Schemas["Ticket"];

/** What an `Outlook` says: a win is known, it is proved that there is none, or neither. */
export type Winnable = Outlook["winnable"];
