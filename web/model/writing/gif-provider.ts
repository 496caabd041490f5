import type { ClientState } from '../../../src/client/index.ts'

const names = { klipy: 'KLIPY', giphy: 'GIPHY', tenor: 'Tenor' } as const
type Provider = keyof typeof names

/** The provider of GIFs that the operator has configured. */
export interface GifProvider {
  id: Provider
  name: string
  key: string
}

/** Returns the provider of GIFs; undefined if there is none, or the organization has turned GIFs off. */
export function gifProvider(state: ClientState): GifProvider | undefined {
  if (state.realm_gif_rating_policy === 0) return undefined
  const keys = { klipy: state.klipy_api_key, giphy: state.giphy_api_key, tenor: state.tenor_api_key }
  const id = (Object.keys(names) as Provider[]).find((one) => keys[one])
  return id && { id, name: names[id], key: keys[id] }
}
