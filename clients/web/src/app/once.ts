/** A key by which the service knows a request that is sent again. `crypto.randomUUID` is not there without HTTPS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
