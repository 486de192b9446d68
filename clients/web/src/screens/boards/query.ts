/** Which board the address asks for. */

export const PERIODS = ["day", "week", "month", "all"] as const;
export const SCOPES = ["first", "open", "speed"] as const;
export const FIELDS = ["people", "newcomers", "bots"] as const;
export const VIEWS = ["top", "me", "following"] as const;
export const RULES = ["modern", "cadogan"] as const;

export interface Asked {
  rules: (typeof RULES)[number];
  period: (typeof PERIODS)[number];
  /** A date, a week as 2026-W48 or a month as 2026-11; null for the one that is now. */
  at: string | null;
  scope: (typeof SCOPES)[number];
  /** null where the address does not say: people, or wherever one stands oneself. */
  field: (typeof FIELDS)[number] | null;
  view: (typeof VIEWS)[number];
}

const FORMS: Readonly<Record<Asked["period"], RegExp>> = {
  day: /^\d{4}-\d\d-\d\d$/,
  week: /^\d{4}-W\d\d$/,
  month: /^\d{4}-\d\d$/,
  all: /^$/,
};

/** What a query says; what it does not say, or says wrongly, is as usual. */
export function readQuery(query: string): Asked {
  const given = new URLSearchParams(query);
  const period = oneOf(PERIODS, given.get("period")) ?? "day";
  const at = given.get("at");
  return {
    rules: oneOf(RULES, given.get("rules")) ?? "modern",
    period,
    at: at && FORMS[period].test(at) ? at : null,
    scope: (period === "day" ? oneOf(SCOPES, given.get("scope")) : null) ?? "first",
    field: oneOf(FIELDS, given.get("field")),
    view: oneOf(VIEWS, given.get("view")) ?? "top",
  };
}

/** The address of a board, without what is as usual. */
export function boardAddress(asked: Partial<Asked>): string {
  const usual = { rules: "modern", period: "day", scope: "first", view: "top" };
  const given = Object.entries(asked).filter(([name, value]) => value !== null && value !== usual[name as keyof typeof usual]);
  const query = new URLSearchParams(given as [string, string][]);
  return query.size ? `/boards?${query}` : "/boards";
}

function oneOf<T extends string>(values: readonly T[], value: string | null): T | null {
  return values.find((one) => one === value) ?? null;
}
