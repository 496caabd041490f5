import type { Logout } from './logout-token.ts'

/** What a provider says about a person. */
export interface Person {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  /** Whether the provider has checked that the address belongs to the person. */
  readonly is_verified: boolean
  readonly name: string | undefined
  /** Address of a picture. */
  readonly picture?: string | undefined
  /** undefined if the provider didn't say, which changes nothing. */
  readonly groups: readonly string[] | undefined
  /** Whether it has too many groups of the person to say them, as Entra with more than 200. */
  readonly hasTooManyGroups?: boolean
  readonly roles: readonly string[] | undefined
  /** Values of the claim that `require` names. */
  readonly required: readonly string[]
  /** The session there, which the provider can end here. */
  readonly sid?: string | undefined
}

/** The secrets of one sign-in, which the browser never sees. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Where the provider sends the browser back to. */
  readonly redirect_uri: string
}

/** The protocol of a provider. Its functions throw the network's errors and the package's. */
export interface Protocol {
  /** Returns the address at the provider that the browser opens. */
  begin(checks: Checks): Promise<URL>
  /** Exchanges the code in the address that the browser came back to. */
  finish(returned: URL, checks: Checks): Promise<Person>
  /** Returns what a logout token says; undefined if it isn't valid. */
  readLogout(token: string): Promise<Logout | undefined>
}

/** The provider can't be reached, or doesn't answer as it should. The message is for operators. */
export class ProviderUnreachable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'ProviderUnreachable'
  }
}

/** Returns the values of a claim: a text, a list of texts, or the names of an object's members, as ZITADEL has them. */
export function valuesOf(claim: unknown): string[] | undefined {
  if (typeof claim === 'string') return claim === '' ? [] : [claim]
  if (Array.isArray(claim)) return claim.filter((value) => typeof value === 'string')
  return typeof claim === 'object' && claim !== null ? Object.keys(claim) : undefined
}

export const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : undefined
