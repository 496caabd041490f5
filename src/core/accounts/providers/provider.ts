import type { AskNamedServer } from '../../../network/provider.ts'
import type { Clock } from '../../kernel/base/clock.ts'
import { createBreaker } from './breaker.ts'
import type { ProviderConfig } from './config.ts'
import { type Protocol, ProviderUnreachable } from './protocol.ts'

/** A configured provider. */
export interface Provider extends Protocol {
  readonly config: ProviderConfig
}

interface ProviderParts {
  ask: AskNamedServer
  clock: Clock
  /** Called when a provider stops working, with the reason, and when it works again. */
  onChange(config: ProviderConfig, problem: string | undefined): void
}

/** Creates a provider. The protocol is loaded with the first sign-in. */
export function createProvider(config: ProviderConfig, { ask, clock, onChange }: ProviderParts): Provider {
  const breaker = createBreaker(clock, (problem) => onChange(config, problem))
  const host = new URL(config.issuer).host
  const guarded: AskNamedServer = async (request) => {
    if (breaker.isPaused()) throw new ProviderUnreachable(`${host} is not asked for a minute, because it failed`)
    try {
      const answer = await ask(request)
      if (answer.status >= 500) throw new Error(`it answered with status ${answer.status}`)
      breaker.note(undefined)
      return answer
    } catch (error) {
      const reason = `${new URL(request.url).host} can't be reached: ${(error as Error).message}`
      breaker.note(reason)
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
