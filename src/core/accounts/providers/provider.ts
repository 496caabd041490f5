import type { AskNamedServer } from '../../../network/provider.ts'
import type { Clock } from '../../kernel/base/clock.ts'
import type { ProviderConfig } from './config.ts'
import { type Protocol, ProviderUnreachable } from './protocol.ts'

/** A configured provider. */
export interface Provider extends Protocol {
  readonly config: ProviderConfig
}

/** Failures in a row after which the provider isn't asked for some time, and that time. */
const MAX_FAILURES = 5
const PAUSE_MS = 60_000

interface ProviderParts {
  ask: AskNamedServer
  clock: Clock
  /** Called when a provider stops working, with the reason, and when it works again. */
  onChange(config: ProviderConfig, problem: string | undefined): void
}

/** Creates a provider. The protocol is loaded with the first sign-in. */
export function createProvider(config: ProviderConfig, { ask, clock, onChange }: ProviderParts): Provider {
  let failures = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  let problem: string | undefined | null = null
  const note = (now: string | undefined) => {
    failures = now === undefined ? 0 : failures + 1
    if (failures >= MAX_FAILURES) pausedUntil = clock.now() + PAUSE_MS
    // Reported once, not with each sign-in.
    if ((problem === undefined) !== (now === undefined) || problem === null) onChange(config, now)
    problem = now
  }
  const host = new URL(config.issuer).host
  const guarded: AskNamedServer = async (request) => {
    if (clock.now() < pausedUntil) throw new ProviderUnreachable(`${host} is not asked for a minute, because it failed`)
    try {
      const answer = await ask(request)
      if (answer.status >= 500) throw new Error(`it answered with status ${answer.status}`)
      note(undefined)
      return answer
    } catch (error) {
      const reason = `${new URL(request.url).host} can't be reached: ${(error as Error).message}`
      note(reason)
      throw new ProviderUnreachable(reason, { cause: error })
    }
  }
  let loading: Promise<Protocol> | undefined
  const protocol = (): Promise<Protocol> => {
    loading ??= load(config, guarded, clock)
    return loading
  }
  return {
    config,
    begin: async (checks) => (await protocol()).begin(checks),
    finish: async (returned, checks) => (await protocol()).finish(returned, checks),
    readLogout: async (token) => (await protocol()).readLogout(token),
  }
}

async function load(config: ProviderConfig, ask: AskNamedServer, clock: Clock): Promise<Protocol> {
  if (config.type === 'github') return (await import('./github.ts')).githubProtocol(config, ask)
  return (await import('./oidc.ts')).oidcProtocol(config, ask, clock)
}
