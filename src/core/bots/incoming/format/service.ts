import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../../kernel/base/same-secret.ts'
import type { Reader } from './event.ts'

/** What a request says besides its payload: headers by name, in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>

/** Another service that posts JSON to /external/NAME. */
export interface Service {
  /** The last part of its address. */
  readonly name: string
  readonly displayName: string
  /** Headers that it sends and that the fields below read, in lower case. */
  readonly headers?: readonly string[]
  /** The header that names the event. A request without it is rejected. */
  readonly eventHeader?: string
  /** The name of the event in `events`. By default that in the header. */
  eventOf?(payload: unknown, header: string): string
  /** The header that is the same when the service sends an event again. */
  readonly deliveryHeader?: string
  /** The same when the service sends an event again, for a service that says so in the payload. */
  deliveryOf?(payload: unknown): string | undefined
  /** Other names by which an address may filter the event, as the service itself has them. */
  alsoNamed?(payload: unknown, header: string): readonly string[]
  readonly events: Readonly<Record<string, Reader>>
  /** Events that become no message, with the reason. */
  readonly unannounced?: Readonly<Record<string, string>>
  /** The entry of `config_data` with the secret that the service shares with the bot, and how a request proves it. */
  readonly secret?: {
    readonly option: string
    /** `now` is in seconds. */
    readonly isProven: (secret: string, body: string, headers: Headers, now: number) => boolean
  }
  /** Whether an address may choose the branches whose pushes and builds are announced. */
  readonly hasBranches?: boolean
  /** Whether an address may leave the titles of merge requests out of topics. */
  readonly hasMergeRequests?: boolean
  /** Other entries of `config_data`, with a description each. */
  readonly options?: Readonly<Record<string, string>>
}

/** A signature of the body: HMAC-SHA256 in hex, after a prefix, in a header. */
export const signedIn =
  (header: string, prefix = '') =>
  (secret: string, body: string, headers: Headers): boolean =>
    isSameSecret(`${prefix}${createHmac('sha256', secret).update(body).digest('hex')}`, headers[header] ?? '')

/** The secret itself in a header. */
export const sentIn =
  (header: string) =>
  (secret: string, _body: string, headers: Headers): boolean =>
    isSameSecret(secret, headers[header] ?? '')
