/**
 * Where a chat logs what operators should know. `pino()`, `console` and the loggers of most frameworks fit unchanged.
 * @example
 * const chat = await openChat({ db: 'chat.db', logger: console })
 */
export interface Logger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  /** If there is an error, it is `err` in the details. */
  error(details: object, message: string): void
}

export const silent: Logger = { info() {}, warn() {}, error() {} }
