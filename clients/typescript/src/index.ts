export { Client, Game, type Registering, Turn } from "./client.js";
export * from "./errors.js";
export type { components, operations, OtherEvent, paths } from "./schema.js";
export type * from "./shapes.js";
export type { Options } from "./transport.js";
export * from "./webhooks.js";
