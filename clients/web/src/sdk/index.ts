export { createApi, type Api, type ApiOptions, type CallOptions } from "./api.ts";
export type * from "./contract.ts";
export { follow } from "./follow.ts";
export { openLive, type LiveOptions } from "./live.ts";
export { Problem, Unreachable } from "./problem.ts";
export type * from "./types.ts";
