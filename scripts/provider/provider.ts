import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import OidcProvider from 'oidc-provider'
import { certificate, key } from '../../test/mail/certificate.ts'

/** What the provider knows of a person. The member of the map is the subject. */
export interface Person {
  email: string
  email_verified: boolean
  name: string
  groups: string[]
}

interface Options {
  people: Map<string, Person>
  /** Addresses of the chat server. */
  redirect_uri: string
  backchannel_logout_uri: string
  /** Whether the ID token has only what the standard demands, and the rest comes with a second request. */
  conforms: boolean
  /** Delivers what the provider sends to the chat server. */
  deliver: (request: Request) => Promise<Response>
}

export interface RealProvider {
  issuer: string
  /** Signs with another key, and forgets the old one. */
  rotateKey(): void
  stop(): Promise<void>
}

export const CLIENT = { client_id: 'chat', client_secret: 'a secret of the client' }

/** Starts oidc-provider over HTTPS on this machine. Its own pages sign everybody in whose name is on the list. */
export async function startProvider(options: Options): Promise<RealProvider> {
  let listener: RequestListener = (_, response) => void response.writeHead(503).end()
  const server = createServer({ cert: certificate, key }, (request, response) => listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `https://127.0.0.1:${(server.address() as { port: number }).port}`
  let keys = 0
  const rotateKey = () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: `key-${++keys}`, use: 'sig', alg: 'RS256' }
    listener = new OidcProvider(issuer, configuration(options, jwk)).callback()
  }
  rotateKey()
  return {
    issuer,
    rotateKey,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const configuration = ({ people, redirect_uri, backchannel_logout_uri, conforms, deliver }: Options, jwk: object) => ({
  clients: [
    {
      ...CLIENT,
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'client_secret_post',
      backchannel_logout_uri,
      backchannel_logout_session_required: true,
      post_logout_redirect_uris: [],
    },
  ],
  jwks: { keys: [jwk] },
  cookies: { keys: ['a key for cookies'] },
  scopes: ['openid', 'email', 'profile', 'groups'],
  claims: {
    openid: ['sub', 'sid'],
    email: ['email', 'email_verified'],
    profile: ['name'],
    groups: ['groups'],
  },
  conformIdTokenClaims: conforms,
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
  findAccount: (_: unknown, sub: string) => {
    const person = people.get(sub)
    return person && { accountId: sub, claims: () => ({ sub, ...person }) }
  },
  ttl: { Session: 3600, Grant: 3600, IdToken: 300, AccessToken: 300, AuthorizationCode: 60, Interaction: 300 },
  // The only requests that the provider sends are logout tokens.
  fetch: (url: string | URL, { method, headers, body }: RequestInit) =>
    deliver(new Request(url, { method: method!, headers: headers!, body: body! })),
})
