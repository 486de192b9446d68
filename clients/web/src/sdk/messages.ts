/** What goes over the socket, both ways. */
import type { components } from "./asyncapi.gen.ts";

type Schemas = components["schemas"];

export type Hello = Schemas["Hello"];
export type Sub = Schemas["Sub"];
export type Unsub = Schemas["Unsub"];
export type React = Schemas["React"];
export type CommandMessage = Schemas["Play"] | Schemas["Undo"] | Schemas["Redo"] | Schemas["Consent"];
export type ClientMessage = Hello | Sub | Unsub | CommandMessage | React | Schemas["Ping"];

export type Welcome = Schemas["Welcome"];
export type Whole = Schemas["Snapshot"] | Schemas["Reset"];
export type Subbed = Schemas["Subbed"];
export type EventMessage = Schemas["Event"];
export type Refused = Schemas["Refused"];
export type Stale = Schemas["Stale"];
export type Ack = Schemas["Ack"];
export type Presence = Schemas["Presence"];
export type Reaction = Schemas["Reaction"];
export type Analysis = Schemas["Analysis"];
export type BoardTop = Schemas["BoardTop"];
export type Bye = Schemas["Bye"];
export type ServerMessage =
  | Welcome
  | Whole
  | EventMessage
  | Subbed
  | Schemas["Unsubbed"]
  | Ack
  | Refused
  | Stale
  | Presence
  | Reaction
  | Schemas["Winnable"]
  | Analysis
  | BoardTop
  | Schemas["Pong"]
  | Bye;
