/**
 * Where a chat says what operators should know. `pino()`, `console` and the loggers of most frameworks fit as they are.
 *
 * @example
 * const chat = await openChat({ db: 'chat.db', logger: console })
 */
export interface Logger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  /** With the error itself as `err` among the details, where there is one. */
  error(details: object, message: string): void
}

export const silent: Logger = { info() {}, warn() {}, error() {} }
